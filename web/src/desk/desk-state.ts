import type { BuilderDevice } from '@lectern/contract/barcode/catalogue.ts'
import type { NewDeskRecord } from '@lectern/contract/desk/desk.ts'
import { findOtherModel, judge } from './answers.ts'
import type { Burst } from './typing.ts'

/** A configuration that symbols can hold. `id` and `version` are the library's, and absent for commands of the builder. */
export interface Chosen {
  id?: string
  version?: number
  name: string
  device: BuilderDevice
  commands: string[]
}

interface Answer {
  text: string
  isKnown: boolean
  isSlow: boolean
}

/** `unsure`: as typed at the serial number's symbol, until a person says that it is one. `part`: symbols of the configuration that were scanned. */
export interface ReaderAtHand {
  model: Answer | null
  serialNumber: Answer | null
  unsure: string | null
  firmware: Answer | null
  part: number
  text: Answer | null
}

/** A reader that is done with. `failure`: why the server does not store its record. */
export interface Row {
  id: string
  serialNumber: string
  result: 'done' | 'failed' | 'skipped'
  at: string
  failure?: string
}

export type Outcome = { kind: 'refused'; problem: string } | { kind: 'done'; serialNumber: string } | null

/** A session at a desk. `parts`: how many symbols the configuration has; null until they are drawn. `unsent`: records that the server does not have yet. */
export interface Desk {
  chosen: Chosen | null
  parts: number | null
  reader: ReaderAtHand
  rows: Row[]
  unsent: NewDeskRecord[]
  outcome: Outcome
}

const noReader: ReaderAtHand = { model: null, serialNumber: null, unsure: null, firmware: null, part: 0, text: null }
export const newDesk: Desk = { chosen: null, parts: null, reader: noReader, rows: [], unsent: [], outcome: null }

export type Step = 'model' | 'serialNumber' | 'sure' | 'firmware' | 'choose' | 'settings' | 'text' | 'again'

export function findStep({ chosen, parts, reader }: Pick<Desk, 'chosen' | 'parts' | 'reader'>): Step {
  if (!reader.model) return 'model'
  if (reader.unsure !== null) return 'sure'
  if (!reader.serialNumber) return 'serialNumber'
  if (!reader.firmware) return 'firmware'
  if (!chosen) return 'choose'
  if (parts === null || reader.part < parts) return 'settings'
  return reader.text ? 'again' : 'text'
}

interface Made {
  id: string
  at: string
  browser: string
}

export type Event =
  | { type: 'typed'; burst: Burst; made: Made }
  | { type: 'next' }
  | { type: 'sure'; isSerial: boolean }
  | { type: 'choose'; chosen: Chosen | null }
  | { type: 'drawn'; parts: number }
  | { type: 'broken' }
  | { type: 'beginAgain' }
  | { type: 'end'; result: 'failed' | 'skipped'; made: Made }
  | { type: 'stored'; id: string }
  | { type: 'notStored'; id: string; failure: string }
  | { type: 'tryAgain' }
  | { type: 'empty' }
  | { type: 'restore'; desk: Desk }

const refuse = (desk: Desk, problem: string): Desk => ({ ...desk, outcome: { kind: 'refused', problem } })

export function step(desk: Desk, event: Event): Desk {
  switch (event.type) {
    case 'typed':
      return type(desk, event)
    case 'next':
      return goOn(desk)
    case 'sure':
      return beSure(desk, event.isSerial)
    case 'choose':
      return choose(desk, event.chosen)
    case 'drawn':
      return { ...desk, parts: event.parts }
    case 'broken':
      return refuse(
        desk,
        'The page did not have the keyboard all the time that the reader typed, so only a part came. Nothing of it is kept. Scan the symbol again.',
      )
    case 'beginAgain':
      return { ...desk, reader: noReader, outcome: null }
    case 'end': {
      const row: Row = { id: event.made.id, serialNumber: desk.reader.serialNumber?.text ?? '', result: event.result, at: event.made.at }
      return { ...desk, reader: noReader, rows: [...desk.rows, row], outcome: null }
    }
    case 'stored':
      return {
        ...desk,
        unsent: desk.unsent.filter(({ id }) => id !== event.id),
        rows: desk.rows.map((row) => (row.id === event.id ? withoutFailure(row) : row)),
      }
    case 'notStored':
      return { ...desk, rows: desk.rows.map((row) => (row.id === event.id ? { ...row, failure: event.failure } : row)) }
    case 'tryAgain':
      return { ...desk, rows: desk.rows.map(withoutFailure) }
    case 'empty':
      return { ...desk, rows: desk.rows.filter(({ id }) => desk.unsent.some((record) => record.id === id)), outcome: null }
    case 'restore':
      return event.desk
  }
}

function withoutFailure({ failure: _, ...row }: Row): Row {
  return row
}

/** Everything after the identity begins again with another configuration. */
function choose(desk: Desk, chosen: Chosen | null): Desk {
  const changed: Desk = { ...desk, chosen, parts: null, reader: { ...desk.reader, part: 0, text: null }, outcome: null }
  const problem = chosen && findOtherModel(desk.reader.model?.text ?? '', chosen.device)
  return problem ? { ...refuse(changed, problem), reader: noReader } : changed
}

function type(desk: Desk, { burst, made }: Extract<Event, { type: 'typed' }>): Desk {
  const at = findStep(desk)
  if (at === 'settings')
    return refuse(
      desk,
      'The reader typed something, and the symbol of a configuration makes it type nothing. Scan the symbol that is shown here, then press Enter.',
    )
  if (at === 'choose') return desk
  const { reader } = desk
  // Whoever is not sure scans again.
  const question = at === 'sure' ? 'serialNumber' : at
  const verdict = judge(burst, { question, serialNumber: reader.serialNumber?.text ?? null, device: desk.chosen?.device ?? null })
  // The last scan of the reader before has come again.
  if (question === 'model' && desk.outcome?.kind === 'done' && burst.text.trim() === desk.outcome.serialNumber) return desk
  if (verdict.kind === 'refused') return refuse(desk, verdict.problem)
  if (verdict.kind === 'unsure') return { ...desk, reader: { ...reader, unsure: verdict.text }, outcome: null }
  const answer = { text: verdict.text, isKnown: verdict.isKnown, isSlow: verdict.isSlow }
  if (question === 'again') return finish(desk, answer, made)
  return { ...desk, reader: { ...reader, unsure: null, [question]: answer }, outcome: null }
}

/** Enter alone says that the configuration's symbol was scanned, or that the reader has no answer to the symbol that is shown. */
function goOn(desk: Desk): Desk {
  const at = findStep(desk)
  const none = { text: '', isKnown: false, isSlow: false }
  // A symbol that is not drawn yet was not scanned.
  if (at === 'settings')
    return desk.parts === null ? desk : { ...desk, reader: { ...desk.reader, part: desk.reader.part + 1 }, outcome: null }
  if (at === 'model' || at === 'firmware') return { ...desk, reader: { ...desk.reader, [at]: none }, outcome: null }
  if (at === 'sure') return beSure(desk, true)
  return desk
}

function beSure(desk: Desk, isSerial: boolean): Desk {
  const { unsure } = desk.reader
  if (unsure === null) return desk
  const serialNumber = isSerial ? { text: unsure, isKnown: false, isSlow: false } : null
  return { ...desk, reader: { ...desk.reader, unsure: null, serialNumber }, outcome: null }
}

function finish(desk: Desk, again: Answer, { id, at, browser }: Made): Desk {
  const { chosen, reader } = desk
  const { serialNumber, text } = reader
  if (!chosen || !serialNumber || !text) return desk
  const { commands, ...configuration } = chosen
  const record: NewDeskRecord = {
    id,
    serialNumber: serialNumber.text,
    identity: { model: reader.model?.text ?? '', firmware: reader.firmware?.text ?? '' },
    configuration,
    commands,
    typed: text.text,
    typedSlowly: [reader.model, serialNumber, reader.firmware, text, again].some((one) => one?.isSlow),
    typedAt: at,
    browser,
  }
  const row: Row = { id, serialNumber: serialNumber.text, result: 'done', at }
  return {
    ...desk,
    reader: noReader,
    rows: [...desk.rows, row],
    unsent: [...desk.unsent, record],
    outcome: { kind: 'done', serialNumber: serialNumber.text },
  }
}

// A cell that a spreadsheet would take for a formula gets a quote.
const cell = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function toCsv({ rows, unsent }: Desk): string {
  const stored = ({ id, result }: Row) => (result === 'done' ? (unsent.some((record) => record.id === id) ? 'No' : 'Yes') : '')
  const lines = rows.map((row) => [row.serialNumber, row.result, row.at, stored(row)].map(cell).join(','))
  return `\ufeff${['Serial Number,Result,At,Stored', ...lines].map((line) => `${line}\r\n`).join('')}`
}
