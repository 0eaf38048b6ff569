import { createHash } from 'node:crypto'
import { parseAssignments, parseCommand, resetCommand, unquoteValue } from '@lectern/contract/barcode/commands.ts'
import { isClosedCfg } from '@lectern/contract/publications/cfg.ts'
import { type Answer, queries } from '../../drivers/serial/dialect.ts'
import { parseFirmware } from '../../drivers/simulated/reader.ts'
import type { Memory, Running } from './memory.ts'

export interface Identity {
  model: string
  serialNumber: string
  battery: number | null
  factory: Running
}

interface Announced {
  kind: string
  size: number
  hash: string
  fileName: string
  version: string | null
}

export interface ReaderFaults {
  /** The reason with which it refuses every content; null for none. */
  refusal: string | null
  /** A parameter, such as `SYAZTCEN`, that it says yes to and does not set; null for none. */
  deaf: string | null
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')
const plain = (value: string): string => (value.startsWith('"') ? unquoteValue(value) : value)
const printSettings = ({ settings, options = {} }: Running): string =>
  settings +
  Object.entries(options)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')
const yes = (value = ''): Answer => ({ value })
const no = (refusal: string): Answer => ({ refusal })

export class ReaderCommands {
  readonly #identity: Identity
  readonly #memory: Memory
  readonly #faults: ReaderFaults
  #running: Running
  #announced: Announced | null = null
  /** A complete file that is not run yet. */
  #file: Buffer | null = null

  constructor(identity: Identity, memory: Memory, faults: ReaderFaults) {
    this.#identity = identity
    this.#memory = memory
    this.#faults = faults
    this.#running = memory.kept()
  }

  /** Loses what was not stored. */
  start(): void {
    this.#running = this.#memory.kept()
    this.#announced = null
    this.#file = null
  }

  /** @param bytes null where the transfer was broken off */
  received(bytes: Buffer | null): void {
    this.#file = bytes && this.#announced && bytes.length >= this.#announced.size ? bytes.subarray(0, this.#announced.size) : null
  }

  async carryOut(commands: string[]): Promise<{ answers: Answer[]; then: 'receive' | 'restart' | null }> {
    const answers: Answer[] = []
    let then: 'receive' | 'restart' | null = null
    for (const command of commands) {
      const isRefused = answers.some((answer) => 'refusal' in answer)
      const answer = command === 'RDCMXRB1' && isRefused ? no('Not carried out.') : this.#carryOut(command)
      answers.push(answer)
      if ('refusal' in answer) continue
      if (command === 'RDCMXRB1') then = 'restart'
      if (command.startsWith('LXFTXKI')) then = 'receive'
    }
    return { answers, then }
  }

  #carryOut(command: string): Answer {
    const { model, serialNumber, battery } = this.#identity
    const { firmware, script } = this.#running
    if (command === queries.model) return yes(model)
    if (command === queries.serialNumber) return yes(serialNumber)
    if (command === queries.firmware) return firmware === null ? no('No firmware has come up.') : yes(firmware)
    if (command === queries.battery) return battery === null ? no('This reader has no battery.') : yes(String(battery))
    if (command === queries.script) return yes(script ? `${script.contentHash} ${script.fileName}` : '')
    if (command === queries.configuration) return yes(printSettings(this.#running))
    if (command === 'RDCMXRB1') return yes()
    if (command === 'CFS') {
      this.#memory.keep(this.#running)
      return yes()
    }
    if (command.startsWith('LXFTXKI')) return this.#announce(command)
    if (command.startsWith('LXFTXRU')) return this.#run(command.slice('LXFTXRU'.length))
    return this.#option(command)
  }

  #option(command: string): Answer {
    if (command === resetCommand) {
      const { settings } = this.#identity.factory
      this.#running = { ...this.#running, settings, options: {} }
      return yes()
    }
    const [, place, name] = /^(\w{4,6})G(\w{2})$/.exec(command) ?? []
    const options = this.#running.options ?? {}
    if (place && name) return options[place + name] === undefined ? no('It does not tell.') : yes(options[place + name])
    const parsed = parseAssignments(command)
    if (parsed.size === 0) return no('This reader does not know the command.')
    if (this.#faults.refusal !== null) return no(this.#faults.refusal)
    const set = [...parsed].flatMap(([key, value]) => (value === null || key === this.#faults.deaf ? [] : [[key, plain(value)] as const]))
    const kept = this.#faults.deaf !== null && parsed.has(this.#faults.deaf) ? { [this.#faults.deaf]: '0' } : {}
    this.#running = { ...this.#running, options: { ...options, ...kept, ...Object.fromEntries(set) } }
    return yes()
  }

  #announce(command: string): Answer {
    const parsed = parseCommand(command)
    if ('problem' in parsed) return no(parsed.problem)
    if (this.#faults.refusal !== null) return no(this.#faults.refusal)
    const fields = new Map(parsed.parameters.map(({ name, value }) => [name, value.startsWith('"') ? unquoteValue(value) : value]))
    this.#file = null
    this.#announced = {
      kind: fields.get('KI') ?? '',
      size: Number(fields.get('SZ')),
      hash: fields.get('HA') ?? '',
      fileName: fields.get('FN') ?? '',
      version: fields.get('VE') ?? null,
    }
    return yes()
  }

  #run(hash: string): Answer {
    const { script, firmwareHash } = this.#running
    const runs = [
      firmwareHash,
      this.#memory.kept().firmwareHash,
      script ? script.contentHash : sha256(Buffer.from(printSettings(this.#running), 'latin1')),
    ]
    const file = this.#file
    if (!file || !this.#announced) return runs.includes(hash) ? yes() : no('The file has not come in full.')
    const { kind, fileName, version } = this.#announced
    this.#file = null
    if (sha256(file) !== hash || this.#announced.hash !== hash) return no('The content arrived damaged at the reader.')
    const text = file.toString('latin1')
    if (kind === 'firmware') {
      // It runs from the next start on.
      const parsed = parseFirmware(text, { version, contentHash: hash })
      this.#memory.keep({ ...this.#memory.kept(), firmware: parsed.version, firmwareHash: hash })
      return yes()
    }
    if (kind === 'cfg' && !isClosedCfg(text)) return no('The reader does not understand the configuration: it is not closed.')
    this.#running =
      kind === 'cfg'
        ? { ...this.#running, settings: text, options: {}, script: null }
        : { ...this.#running, script: { contentHash: hash, fileName } }
    return yes()
  }
}
