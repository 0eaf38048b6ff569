import { builderDevices } from '@lectern/contract/barcode/catalogue.ts'
import { commandProblem, parseAssignments } from '@lectern/contract/barcode/commands.ts'
import { decodePayload } from '@lectern/contract/barcode/configuration-payload.ts'
import { endOfPart } from '@lectern/contract/barcode/envelope.ts'
import { deviceModels } from '@lectern/contract/devices/device-models.ts'
import { closingTag, isClosedCfg } from '@lectern/contract/publications/cfg.ts'
import { SerialNumber } from '@lectern/contract/text/serial-number.ts'
import { type Burst, isSlow } from './typing.ts'

/** The question that the symbol on the page puts to the reader. `again`: the serial number again, after the configuration. */
export type Question = 'model' | 'serialNumber' | 'firmware' | 'text' | 'again'

export interface Expectation {
  question: Question
  /** Null: the reader has not typed it yet. */
  serialNumber: string | null
  /** The model that the chosen configuration is for; null: none is chosen. */
  device: string | null
}

/** `isKnown`: the form of the text is published. `unsure`: only a person can say that it is a serial number. */
export type Verdict =
  | { kind: 'taken'; text: string; isKnown: boolean; isSlow: boolean }
  | { kind: 'unsure'; text: string }
  | { kind: 'refused'; problem: string }

const serialForm = /^(?=.*\d)[0-9A-Z]{10}$/
const firmwareForm = /^\d{1,4}(?:\.\d{1,6}){1,4}$/

const isModel = (text: string): boolean => (deviceModels as readonly string[]).includes(text)
const isBuilderDevice = (text: string): boolean => (builderDevices as readonly string[]).includes(text)

const known: Record<Question, (text: string) => boolean> = {
  model: isModel,
  serialNumber: (text) => serialForm.test(text),
  firmware: (text) => firmwareForm.test(text),
  text: (text) => isClosedCfg(text) || readCommands(text) !== null,
  again: (text) => serialForm.test(text),
}

/** Commands of an envelope, or one a line; null for a text of any other form, as none is published. */
export function readCommands(typed: string): string[] | null {
  const text = typed.trim()
  if (text.startsWith('\x01Y')) {
    const codes = [...text].map((character) => character.charCodeAt(0))
    const read = codes.every((code) => code < 256) ? decodePayload(Uint8Array.from(codes)) : null
    return read && 'commands' in read ? read.commands : null
  }
  const lines = text
    .replaceAll(endOfPart, '\n')
    .split(/[\r\n\t]+/)
    .filter((line) => line !== '')
  return lines.length > 0 && lines.every((line) => commandProblem(line) === null) ? lines : null
}

/** Removes what a reader may add at the ends of a text, such as Enter, Tab or a blank. */
const trimEnds = (text: string): string => text.replace(/^[\s\b]+|[\s\b]+$/g, '')

/** Takes a text of a known form that came twice at once as one. */
function takeOnce(text: string, isKnown: (text: string) => boolean): string {
  for (let length = Math.ceil(text.length / 2) - 4; length <= text.length / 2; length++) {
    const first = trimEnds(text.slice(0, Math.max(0, length)))
    const isTwice = first !== '' && text.startsWith(first) && trimEnds(text.slice(first.length)) === first
    if (isTwice && isKnown(first)) return first
  }
  return text
}

/** Keys of digits type these without Shift on a French keyboard, and with Shift on a US and a German one. */
const signsOfDigits = [/[&é"'(\-è_çà]/g, /[!@#$%^&*()]/g, /[!"§$%&/()=]/g]

const hasSignsForDigits = (text: string): boolean => !/\d/.test(text) && signsOfDigits.some((signs) => (text.match(signs)?.length ?? 0) > 2)

const checkLayout = 'Check the keyboard layout, and scan again.'

const names: Record<Question, string> = {
  model: 'the model',
  serialNumber: 'the serial number',
  firmware: 'the firmware',
  text: 'the configuration',
  again: 'the serial number',
}

const refused = (problem: string): Verdict => ({ kind: 'refused', problem })

export function judge(burst: Burst, expectation: Expectation): Verdict {
  if (burst.isTooLong)
    return refused('The reader typed more than 64 kB, which is more than a configuration has. Nothing of it is kept. Scan again.')
  if (burst.deadKeys.length > 0)
    return refused(
      'A key came that types no sign by itself, such as ^ of a French keyboard, so a sign is missing. Nothing of it is kept. Set the reader and this PC to a US keyboard, and scan again.',
    )
  const { question } = expectation
  const text = takeOnce(trimEnds(burst.text), known[question])
  if (text === '') return refused('Only blanks or Enter came. Scan the symbol again.')
  const isKnown = known[question](text)
  const problem = findProblem(text, isKnown, expectation)
  if (problem !== null) return refused(problem)
  if (burst.keys === 1) return refused('A single key came, as a person presses it. Scan the symbol that is shown here.')
  const slow = isSlow(burst)
  const isSame = question === 'again' && text === expectation.serialNumber
  if (slow && !isKnown && !isSame)
    return refused(
      `This came as slowly as a person types, and is no known form of ${names[question]}. Nothing of it is kept. Scan the symbol, or set the reader to type faster.`,
    )
  if (question === 'serialNumber' && !isKnown)
    return SerialNumber.safeParse(text).success
      ? { kind: 'unsure', text }
      : refused('A serial number has one line of at most 64 characters that can be seen. Scan the symbol that is shown here.')
  return { kind: 'taken', text, isKnown, isSlow: slow }
}

function findProblem(text: string, isKnown: boolean, { question, serialNumber, device }: Expectation): string | null {
  if (question === 'text') return findTextProblem(text, isKnown, serialNumber)
  if (closingTag(text) !== null || text.startsWith('\x01Y') || text.length > 1_000)
    return `The reader typed a configuration, not ${names[question]}. Scan the symbol that is shown here.`
  if (new Set(text.split(/[\r\n\t]+/)).size > 1)
    return 'Two different texts came at once. Let only one reader type at this PC, and scan again.'
  if (hasSignsForDigits(text))
    return `Signs came in place of digits: the reader and this PC have different keyboard layouts. ${checkLayout}`
  if (question === 'again') return findChangedReader(text, serialNumber ?? '')
  if (question !== 'model' && isModel(text))
    return `The reader typed its model, not ${names[question]}. Scan the symbol that is shown here.`
  if (question !== 'serialNumber' && serialForm.test(text))
    return `The reader typed its serial number, not ${names[question]}. Scan the symbol that is shown here.`
  if (question === 'model' && isKnown && !isBuilderDevice(text)) return `A ${text} takes no configuration by barcode. Take another reader.`
  return question === 'model' && device !== null ? findOtherModel(text, device) : null
}

/** Returns null also where the model is of no known form. */
export const findOtherModel = (model: string, device: string): string | null =>
  isModel(model) && model !== device
    ? `This reader is a ${model}, and the configuration is for the ${device}. Take another reader, or choose another configuration.`
    : null

function findTextProblem(text: string, isKnown: boolean, serialNumber: string | null): string | null {
  if (text === serialNumber || isModel(text))
    return 'The reader typed who it is, not its configuration. Scan the symbol that is shown here.'
  const tag = closingTag(text)
  if (!isKnown && text.startsWith('<') && tag !== null)
    return `The text stopped before ${tag}. Nothing of it is kept. Scan the symbol again.`
  if (!isKnown && text.startsWith('\x01Y')) return 'The text stopped before its end mark. Nothing of it is kept. Scan the symbol again.'
  return null
}

function findChangedReader(text: string, before: string): string | null {
  if (text === before) return null
  if (before.startsWith(text) || before.endsWith(text)) return 'Only half of the serial number came. Scan the symbol again.'
  if (isModel(text)) return 'The reader typed its model, not the serial number. Scan the symbol that is shown here.'
  return `Another reader has the serial number ${text}; the configuration was asked of ${before}. Nothing is kept. Scan with the reader ${before}, or begin again.`
}

export interface Difference {
  /** By its command, such as `SYAZTCEN`. */
  name: string
  sent: string | null
  /** Undefined: the text does not have the setting. */
  typed: string | null | undefined
}

/** Lists the settings that the reader typed otherwise than it was sent; null where the text is no list of commands. */
export function compareAnswer(sent: readonly string[], text: string): Difference[] | null {
  const typed = readCommands(text)
  if (typed === null) return null
  const settings = (commands: readonly string[]) => new Map(commands.flatMap((command) => [...parseAssignments(command)]))
  const found = settings(typed)
  return [...settings(sent)].flatMap(([name, value]) => (found.get(name) === value ? [] : [{ name, sent: value, typed: found.get(name) }]))
}

/** The text of the test symbol: characters that US, German and French keyboards have at different places. */
export const layoutText = 'azqwym-_/?;:,.<>=+*#\'"()[]{}|\\@&!0123456789AZQWYM'

export interface LayoutFinding {
  /** None where not as many characters came as the symbol has. */
  changed: { sent: string; typed: string }[]
  /** Null: nothing is changed. */
  advice: string | null
}

const deadKey = 'dead key'

/** `types`: signs that tell the two layouts, and the sign that comes in place of each. */
const layouts: readonly { reader: string; pc: string; types: Readonly<Record<string, string>> }[] = [
  { reader: 'US', pc: 'German', types: { a: 'a', y: 'z', '-': 'ß' } },
  { reader: 'US', pc: 'French', types: { a: 'q', y: 'y', m: ',' } },
  { reader: 'German', pc: 'US', types: { a: 'a', y: 'z', '-': '/' } },
  { reader: 'German', pc: 'French', types: { a: 'q', y: 'w', m: ',' } },
  { reader: 'French', pc: 'US', types: { a: 'q', y: 'y', m: ';' } },
  { reader: 'French', pc: 'German', types: { a: 'q', y: 'z', m: 'ö' } },
]

export function findLayout({ text, deadKeys }: Pick<Burst, 'text' | 'deadKeys'>): LayoutFinding {
  const typed = [...text]
  // The last place comes first, so that those before it stay.
  for (const place of deadKeys.toReversed()) typed.splice(place, 0, deadKey)
  while (typed.length > 0 && /^\s$/.test(typed.at(-1)!)) typed.pop()
  const sent = [...layoutText]
  // A character that is missing moves all that follow.
  const isWhole = typed.length === sent.length
  const changed = isWhole ? sent.flatMap((one, index) => (typed[index] === one ? [] : [{ sent: one, typed: typed[index]! }])) : []
  if (changed.length === 0 && isWhole) return { changed: [], advice: null }
  const layout = layouts.find(({ types }) => Object.entries(types).every(([one, other]) => typed[sent.indexOf(one)] === other))
  const set =
    'Set the same layout in both: in the reader with the option “Keyboard layout” of the builder, in the PC in its keyboard settings.'
  const found = layout
    ? `The reader types as for a ${layout.reader} keyboard, and this PC takes it as a ${layout.pc} one.`
    : 'The reader and this PC have different keyboard layouts.'
  return { changed, advice: `${found} ${set}` }
}
