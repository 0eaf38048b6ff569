import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

export interface Running {
  /** What `CFG` prints before what commands have set, Latin-1. */
  settings: string
  firmware: string
  /** By subsystem, object and parameter. */
  options?: Record<string, string>
}

/** What a reader keeps through a power cut. */
export class Memory {
  readonly #file: string

  constructor(file: string, factory: Running) {
    this.#file = file
    if (!existsSync(file)) this.keep(factory)
  }

  kept(): Running {
    return JSON.parse(readFileSync(this.#file, 'utf8')) as Running
  }

  keep(running: Running): void {
    writeFileSync(`${this.#file}.new`, JSON.stringify(running))
    renameSync(`${this.#file}.new`, this.#file)
  }
}
