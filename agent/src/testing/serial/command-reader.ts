import { parseAssignments } from '@lectern/contract/barcode/commands.ts'
import { Memory, type Running } from './memory.ts'
import type { Talker } from './reader.ts'

export interface CommandIdentity {
  model: string
  serialNumber: string
  factory: Running
}

const start = '\x01Y\x1d\x02'
const longest = 4_096

/** One of the seven models: it takes the envelope of a configuration barcode, and answers plainly. */
export class CommandReader implements Talker {
  readonly #identity: CommandIdentity
  readonly #memory: Memory
  #running: Running
  #received = ''
  /** All that it was sent, in order. */
  readonly commands: string[] = []
  /** A parameter, such as `SYAZTCEN`, that it does not set; null for none. */
  deaf: string | null = null
  /** What it answers to a setting; empty for nothing. */
  acknowledgement = ''
  /** What comes behind an answer. */
  ending = '\r\n'
  /** What it answers to a query, in place of what is right. */
  answers: Record<string, string> = {}

  constructor(file: string, identity: CommandIdentity) {
    this.#identity = identity
    this.#memory = new Memory(file, identity.factory)
    this.#running = this.#memory.kept()
  }

  start(): void {
    this.#running = this.#memory.kept()
    this.#received = ''
  }

  receive(byte: number): Uint8Array[] {
    this.#received = (this.#received + String.fromCharCode(byte)).slice(-longest)
    const from = this.#received.lastIndexOf(start)
    if (byte !== 0x04 || from < 0) return []
    const commands = this.#received
      .slice(from + start.length, -1)
      .split('\x03')
      .slice(0, -1)
    this.#received = ''
    return commands.flatMap((command) => {
      this.commands.push(command)
      const answer = this.#carryOut(command)
      return answer === '' ? [] : [Buffer.from(answer + this.ending, 'latin1')]
    })
  }

  #carryOut(command: string): string {
    const { model, serialNumber, factory } = this.#identity
    if (this.answers[command] !== undefined) return this.answers[command]
    if (command === 'RDRRGMD') return model
    if (command === 'RDRRGSN') return serialNumber
    if (command === 'RDFWGVS') return this.#running.firmware
    if (command === 'CFG') return this.#print()
    if (command === 'CFS') this.#memory.keep(this.#running)
    else if (command === 'CFR') this.#running = { ...this.#running, settings: factory.settings, options: {} }
    else {
      const set = [...parseAssignments(command)].filter(([name, value]) => value !== null && name !== this.deaf)
      if (parseAssignments(command).size === 0) return ''
      this.#running = { ...this.#running, options: { ...this.#running.options, ...(Object.fromEntries(set) as Record<string, string>) } }
    }
    return this.acknowledgement
  }

  #print(): string {
    const options = Object.entries(this.#running.options ?? {}).map(([name, value]) => `<${name}>${value}</${name}>`)
    return this.#running.settings + options.join('')
  }
}
