import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { parseAssignments, quoteValue, resetCommand, unquoteValue } from '@lectern/contract/barcode/commands.ts'
import { decodePayload } from '@lectern/contract/barcode/configuration-payload.ts'
import { encodeEnvelope, endOfEnvelope, endOfPart, envelopeStart, toBytes } from '@lectern/contract/barcode/envelope.ts'
import type { ReaderContent } from '../driver.ts'

// The part of the protocol that the vendor has not published is in this file alone. Commands that begin with LX are stand-ins (decision
// 18).

export const queries = {
  /** Published, as are the next two and `configuration`. */
  model: 'RDRRGMD',
  serialNumber: 'RDRRGSN',
  firmware: 'RDFWGVS',
  configuration: 'CFG',
  /** Per cent; refused or empty where the reader has no battery. */
  battery: 'LXPMGBA',
  /** `hash name`; empty without a script. */
  script: 'LXJSGSC',
} as const

export const save = 'CFS'
const reboot = 'RDCMXRB1'

/** Milliseconds. */
export interface Timing {
  /** For silence: no byte of an answer has come. */
  readonly askAgain: number
  readonly answer: number
  /** For a whole answer, however slowly it comes. */
  readonly wholeAnswer: number
  readonly changeOver: number
  readonly block: number
  readonly reboot: number
  readonly silentPort: number
  readonly use: number
}
export const usualTiming: Timing = {
  askAgain: 2_000,
  answer: 6_000,
  wholeAnswer: 60_000,
  changeOver: 60_000,
  block: 5_000,
  reboot: 60_000,
  silentPort: 60_000,
  use: 10_000,
}

/** The file is sent after the answer. The reader runs it only on a command. */
export function announce({ kind, size, contentHash, fileName, version, publication }: ReaderContent): string {
  const names = { FN: fileName, VE: version, PU: publication }
  const texts = Object.entries(names).flatMap(([name, text]) => (text ? `${name}${quoteValue(encodeName(text))}` : []))
  return `LXFTX${[`KI${kind}`, `SZ${size}`, `HA${contentHash}`, ...texts].join(',')}`
}

const encodeName = (text: string) => Buffer.from(text, 'utf8').toString('latin1')
export const decodeName = (text: string): string => Buffer.from(text, 'latin1').toString('utf8')

/** Refused where the hash differs. A reader that runs the file already says yes. */
export const run = ({ contentHash }: ReaderContent): string => `LXFTXRU${contentHash}`

/** Questions for each parameter that `commands` set, with the value that it must have. A factory value is not known. */
export function listQuestions(commands: readonly string[]): { query: string; value: string }[] {
  const values = new Map<string, string | null>()
  for (const command of commands.slice(commands.lastIndexOf(resetCommand) + 1))
    for (const [name, value] of parseAssignments(command)) values.set(name, value)
  // Commands that a reader relays set nothing of its own.
  const own = [...values].flatMap(([name, value]) => (name.includes('[') || value === null ? [] : [{ name, value }]))
  return own.map(({ name, value }) => ({
    query: `${name.slice(0, -2)}G${name.slice(-2)}`,
    value: value.startsWith('"') ? unquoteValue(value) : value,
  }))
}

/** One envelope, so that nothing comes in between. A reader that says no does not restart. */
export const changeOver = (content: ReaderContent): string[] => [run(content), content.kind === 'firmware' ? reboot : save]

export type Answer = { value: string } | { refusal: string }

/** The answer repeats the token, so an echo, a late answer or a scan does not pass for it. */
const seal = /^LXQUXTK([0-9a-f]{8}),CK([0-9a-f]{8})$/
const checksum = (token: string, parts: readonly string[]) =>
  crc32([token, ...parts].join('\x03'))
    .toString(16)
    .padStart(8, '0')

export const newToken = (): string => randomBytes(4).toString('hex')

// Differs from a barcode's payload: CFR comes after the seal, and one command may be as long as the payload.
export const encodeQuestion = (token: string, commands: readonly string[]): Uint8Array =>
  encodeEnvelope([`LXQUXTK${token},CK${checksum(token, commands)}`, ...commands])

/** Null: damaged, or not a question. */
export function decodeQuestion(envelope: Uint8Array): { token: string; commands: string[] } | null {
  const payload = decodePayload(envelope)
  if ('problem' in payload) return null
  const [first = '', ...commands] = payload.commands
  const [, token, check] = seal.exec(first) ?? []
  return token !== undefined && check === checksum(token, commands) ? { token, commands } : null
}

export function encodeAnswers(token: string, answers: readonly Answer[]): Uint8Array {
  const parts = answers.map((answer) => ('value' in answer ? `=${quoteValue(answer.value)}` : `!${quoteValue(answer.refusal)}`))
  return encodeEnvelope([token, ...parts, checksum(token, parts)])
}

/** Null: damaged, or the answer to another question. */
export function decodeAnswers(envelope: Uint8Array, token: string): Answer[] | null {
  const payload = decodePayload(envelope)
  if ('problem' in payload || payload.commands[0] !== token) return null
  const parts = payload.commands.slice(1, -1)
  if (payload.commands.at(-1) !== checksum(token, parts)) return null
  return parts.map((part) => {
    const text = unquoteValue(part.slice(1))
    return part.startsWith('=') ? { value: text } : { refusal: text }
  })
}

const startMarks = toBytes(envelopeStart)
const endMark = endOfEnvelope.charCodeAt(0)
const partMark = endOfPart.charCodeAt(0)
const space = 0x20

const longest = 4 * 1024 * 1024

/** Only marks are control characters, so a damaged envelope does not spoil the next one. */
export class Envelopes {
  #matched = 0
  #body: number[] = []

  /** Returns the envelope that `byte` completes, or whether the byte may be part of one. */
  take(byte: number): Uint8Array | 'inside' | 'outside' {
    if (this.#matched === startMarks.length) {
      if (byte === endMark) {
        const envelope = Uint8Array.from([...startMarks, ...this.#body, endMark])
        this.#reset()
        return envelope
      }
      if ((byte >= space || byte === partMark) && this.#body.length < longest) {
        this.#body.push(byte)
        return 'inside'
      }
      this.#reset()
    }
    if (byte !== startMarks[this.#matched]) this.#reset()
    if (byte !== startMarks[this.#matched]) return 'outside'
    this.#matched += 1
    return 'inside'
  }

  #reset(): void {
    this.#matched = 0
    this.#body = []
  }
}
