import { readFile, stat } from 'node:fs/promises'
import { commandProblem } from '@lectern/contract/barcode/commands.ts'
import { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import { Evidence } from '@lectern/contract/devices/evidence.ts'
import { Line } from '@lectern/contract/text/text.ts'
import * as z from 'zod/mini'
import { sentence } from '../../sentence.ts'
import { Stop } from '../../stop.ts'
import shipped from './seven-models.json' with { type: 'json' }

const mostBytes = 64 * 1024

const isLatin1 = z.refine<string>((text) => !/[^\0-\xff]/u.test(text), 'must be Latin-1')
/** Any bytes, as Latin-1. */
const Bytes = z.string().check(z.maxLength(32, 'must have at most 32 bytes'), isLatin1)
const described = { source: Line(200), evidence: Evidence.check(z.refine((evidence) => evidence !== 'unknown', 'must not be unknown')) }
const Command = z.strictObject({
  sends: z.string().check(
    z.maxLength(64, 'must have at most 64 characters'),
    z.refine((text) => commandProblem(text) === null, 'must be a command, such as RDRRGMD'),
  ),
  meaning: Line(200),
  ...described,
})

/**
 * What is sent to the seven models, and what they answer (SER-01). `frame`: what encloses a command. `answer`: what encloses an answer;
 * `refusal`: how one begins that refuses a command; null: not known. `models`: the portal's name of a model by the reader's own word,
 * where the two differ.
 */
const DialectFile = z.strictObject({
  frame: z.strictObject({ before: Bytes, after: Bytes, ...described }),
  answer: z.strictObject({ before: Bytes, after: Bytes, refusal: z.nullable(Bytes.check(z.minLength(1, 'must not be empty'))) }),
  commands: z.strictObject({
    model: Command,
    serialNumber: Command,
    firmware: Command,
    configuration: Command,
    save: Command,
    /** Per cent. */
    battery: z.optional(Command),
  }),
  models: z.record(Line(64), DeviceModel),
})
export type DialectFile = z.infer<typeof DialectFile>

export const shippedDialect: DialectFile = DialectFile.parse(shipped)

/** @throws `Stop` with a sentence where the file cannot be read or is wrong */
export async function readDialectFile(file: string): Promise<DialectFile> {
  const refuse = (problem: string, cause?: unknown) => new Stop('usage', `The dialect file ${file} cannot be used: ${problem}`, cause)
  let value: unknown
  try {
    const { size } = await stat(file)
    if (size > mostBytes) throw new Error(`it has ${size} bytes, and at most ${mostBytes} are read.`)
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw refuse(sentence(error), error)
  }
  const parsed = DialectFile.safeParse(value)
  if (parsed.success) return parsed.data
  const [{ path, message } = { path: [], message: 'it is wrong.' }] = parsed.error.issues
  throw refuse(`${path.join('.') || 'the whole'}: ${message}.`)
}
