import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { quoteValue, unquoteValue } from '@lectern/contract/barcode/commands.ts'
import { decodePayload, encodePayload } from '@lectern/contract/barcode/configuration-payload.ts'
import type { ReaderContent } from '../driver.ts'

// Everything about the conversation with a reader that its vendor has not published stands in this file, so that the vendor's own commands can
// take its place. Commands of the subsystem LX are such stand-ins: no reader has that subsystem. See docs/decisions/0018.

/** What a reader is asked. The first three and `configuration` are published. */
export const asks = {
  model: 'RDRRGMD',
  serialNumber: 'RDRRGSN',
  firmware: 'RDFWGVS',
  /** Prints the whole configuration. */
  configuration: 'CFG',
  /** Per cent; refused or empty where there is no battery. */
  battery: 'LXPMGBA',
  /** Hash and file name of the script that it runs, with a space between; empty where it runs none. */
  script: 'LXJSGSC',
} as const

/** Published: saves the settings, so that they outlive a power cut. */
const save = 'CFS'
/** Published: starts the reader anew. A reader answers before it does, and nothing more until it is up again. */
const reboot = 'RDCMXRB1'

/** Milliseconds. */
export interface Timing {
  /** Without a byte of an answer before a question is asked again. */
  readonly answer: number
  /** For a reader to check what it was given and to change over. */
  readonly changeOver: number
  /** Without an answer to a block before it is sent again. */
  readonly block: number
  /** For a reader to be up again that has started anew. */
  readonly reboot: number
  /** Before an open port at which no reader has answered yet is asked again: it may be anything. */
  readonly stranger: number
  /** After a scan in which the reader counts as in use. */
  readonly use: number
}
export const usualTiming: Timing = { answer: 2_000, changeOver: 60_000, block: 5_000, reboot: 60_000, stranger: 60_000, use: 10_000 }

/** Makes a reader ready to receive a file over XMODEM-1K right after its answer. It keeps the file aside until it is told to change over. */
export function announcement({ kind, size, contentHash, fileName, version, publication }: ReaderContent): string {
  const names = { FN: fileName, VE: version, PU: publication }
  const texts = Object.entries(names).flatMap(([name, text]) => (text ? `${name}${quoteValue(latin1(text))}` : []))
  return `LXFTX${[`KI${kind}`, `SZ${size}`, `HA${contentHash}`, ...texts].join(',')}`
}

/** A name may have characters that no command can: they are sent as UTF-8. */
const latin1 = (text: string) => Buffer.from(text, 'utf8').toString('latin1')
export const nameFrom = (text: string): string => Buffer.from(text, 'latin1').toString('utf8')

/** Tells a reader to run the file that it has received, if that has the hash it was announced with. One that runs it already says yes. */
export const run = ({ contentHash }: ReaderContent): string => `LXFTXRU${contentHash}`

/** Has a reader run the file and keep it. One envelope, so that nothing can come between; a reader does not start anew after a no. */
export const changeOver = (content: ReaderContent): string[] => [run(content), content.kind === 'firmware' ? reboot : save]

/** What a reader answers to one command: yes and what was asked for, or no and why. */
export type Answer = { value: string } | { refusal: string }

/**
 * The first command of a question: a token that its answer repeats, so that a late answer, an echo or a scanned text is not taken for it, and
 * a checksum of the rest.
 */
const seal = /^LXQUXTK([0-9a-f]{8}),CK([0-9a-f]{8})$/
const sum = (token: string, parts: readonly string[]) =>
  crc32([token, ...parts].join('\x03'))
    .toString(16)
    .padStart(8, '0')

export const newToken = (): string => randomBytes(4).toString('hex')

export const questionOf = (token: string, commands: readonly string[]): Uint8Array =>
  encodePayload({ commands: [`LXQUXTK${token},CK${sum(token, commands)}`, ...commands], reset: false })

/** What an envelope asks a reader; null where it is no question, or damaged. */
export function readQuestion(envelope: Uint8Array): { token: string; commands: string[] } | null {
  const payload = decodePayload(envelope)
  if ('problem' in payload) return null
  const [first = '', ...commands] = payload.commands
  const [, token, check] = seal.exec(first) ?? []
  return token !== undefined && check === sum(token, commands) ? { token, commands } : null
}

/** The same envelope with the token, an answer for each command, and a checksum. */
export function toResponse(token: string, answers: readonly Answer[]): Uint8Array {
  const parts = answers.map((answer) => ('value' in answer ? `=${quoteValue(answer.value)}` : `!${quoteValue(answer.refusal)}`))
  return Buffer.from(`\x01Y\x1d\x02${[token, ...parts, sum(token, parts)].map((part) => `${part}\x03`).join('')}\x04`, 'latin1')
}

/** The answers to a question; null where the envelope is something else, or damaged. */
export function readAnswer(envelope: Uint8Array, token: string): Answer[] | null {
  const payload = decodePayload(envelope)
  if ('problem' in payload || payload.commands[0] !== token) return null
  const parts = payload.commands.slice(1, -1)
  if (payload.commands.at(-1) !== sum(token, parts)) return null
  return parts.map((part) => {
    const text = unquoteValue(part.slice(1))
    return part.startsWith('=') ? { value: text } : { refusal: text }
  })
}
