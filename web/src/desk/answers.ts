import { builderDevices } from '@lectern/contract/barcode/catalogue.ts'
import { commandProblem, parseAssignments } from '@lectern/contract/barcode/commands.ts'
import { decodePayload } from '@lectern/contract/barcode/configuration-payload.ts'
import { endOfPart } from '@lectern/contract/barcode/envelope.ts'
import { deviceModels } from '@lectern/contract/devices/device-models.ts'
import { closingTag, isClosedCfg } from '@lectern/contract/publications/cfg.ts'
import { type Burst, isSlow } from './typing.ts'

/** What the symbol on the page asks the reader for. `again`: the serial number again, after the configuration. */
export type Question = 'model' | 'serialNumber' | 'firmware' | 'text' | 'again'

export interface Expectation {
  question: Question
  /** As typed at the serial number's symbol; null: not yet. */
  serialNumber: string | null
  /** The model of the configuration that was chosen; null: none yet. */
  device: string | null
}

/** `isKnown`: of a form that is published. `isUnsure`: only a person can say that it is a serial number. */
export type Verdict =
  | { kind: 'taken'; text: string; isKnown: boolean; isSlow: boolean; isDoubled: boolean }
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

/** The commands that a reader typed: those of an envelope, or one a line; null where it is neither, whose form is not published. */
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

/** Without what a reader may add at its ends, such as Enter, Tab or a blank. */
const trimEnds = (text: string): string => text.replace(/^[\s\b]+|[\s\b]+$/g, '')

/** What came twice at once is one. */
function takeOnce(text: string, isKnown: (text: string) => boolean): { text: string; isDoubled: boolean } {
  for (let length = Math.ceil(text.length / 2) - 4; length <= text.length / 2; length++) {
    const first = trimEnds(text.slice(0, Math.max(0, length)))
    const isTwice = first !== '' && text.startsWith(first) && trimEnds(text.slice(first.length)) === first
    if (isTwice && (isKnown(first) || /^\s/.test(text.slice(first.length)))) return { text: first, isDoubled: true }
  }
  return { text, isDoubled: false }
}

const frenchDigits = /^[&é"'(\-è_çà]{4,}$/

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
  const { question } = expectation
  const { text, isDoubled } = takeOnce(trimEnds(burst.text), known[question])
  if (text === '') return refused('Only blanks or Enter came. Scan the symbol again.')
  const isKnown = known[question](text)
  const problem = findProblem(text, isKnown, expectation)
  if (problem !== null) return refused(problem)
  const slow = isSlow(burst)
  const isSame = question === 'again' && text === expectation.serialNumber
  if (slow && !isKnown && !isSame)
    return refused(
      `This came as slowly as a person types, and is no known form of ${names[question]}. Nothing of it is kept. Scan the symbol, or set the reader to type faster.`,
    )
  if (question === 'serialNumber' && !isKnown) return { kind: 'unsure', text }
  return { kind: 'taken', text, isKnown, isSlow: slow, isDoubled }
}

function findProblem(text: string, isKnown: boolean, { question, serialNumber, device }: Expectation): string | null {
  if (question === 'text') return findTextProblem(text, isKnown, serialNumber)
  if (closingTag(text) !== null || text.startsWith('\x01Y') || text.length > 1_000)
    return `The reader typed a configuration, not ${names[question]}. Scan the symbol that is shown here.`
  if (new Set(text.split(/[\r\n\t]+/)).size > 1)
    return 'Two different texts came at once. Let only one reader type at this PC, and scan again.'
  if (frenchDigits.test(text))
    return 'The digits came as signs: the reader types as for a US or German keyboard, and this PC takes it as a French one. Check the keyboard layout below, and scan again.'
  if (question === 'again') return findChangedReader(text, serialNumber ?? '')
  if (question !== 'model' && isModel(text))
    return `The reader typed its model, not ${names[question]}. Scan the symbol that is shown here.`
  if (question !== 'serialNumber' && serialForm.test(text))
    return `The reader typed its serial number, not ${names[question]}. Scan the symbol that is shown here.`
  if (question === 'model' && isKnown && !isBuilderDevice(text)) return `A ${text} takes no configuration by barcode. Take another reader.`
  if (question === 'model' && isKnown && device !== null && text !== device)
    return `This reader is a ${text}, and the configuration is for the ${device}. Take another reader, or choose another configuration.`
  return null
}

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
  /** A setting by its command, such as `SYAZTCEN`. */
  name: string
  sent: string | null
  /** Undefined: the reader typed nothing of it. */
  typed: string | null | undefined
}

/** What the reader typed otherwise than it was sent; null where the form of the answer is not published, so that it cannot be compared. */
export function compareAnswer(sent: readonly string[], text: string): Difference[] | null {
  const typed = readCommands(text)
  if (typed === null) return null
  const settings = (commands: readonly string[]) => new Map(commands.flatMap((command) => [...parseAssignments(command)]))
  const found = settings(typed)
  return [...settings(sent)].flatMap(([name, value]) => (found.get(name) === value ? [] : [{ name, sent: value, typed: found.get(name) }]))
}

/** The text of the test symbol: what US, German and French keyboards have at other places. */
export const layoutText = 'azqwym-_/?;:,.<>=+*#\'"()[]{}|\\@&!0123456789AZQWYM'

export interface LayoutFinding {
  /** Each as it should be, and as it came; none where not as many came as should. */
  changed: { sent: string; typed: string }[]
  /** Null: nothing is changed. */
  advice: string | null
}

const layouts: readonly { is: (typed: (sent: string) => string | undefined) => boolean; reader: string; pc: string }[] = [
  { is: (typed) => typed('y') === 'z' && typed('-') === 'ß', reader: 'US', pc: 'German' },
  { is: (typed) => typed('y') === 'z' && typed('-') === '/', reader: 'German', pc: 'US' },
  { is: (typed) => typed('a') === 'q' && typed('m') === ',', reader: 'US', pc: 'French' },
  { is: (typed) => typed('a') === 'q' && typed('m') === ';', reader: 'French', pc: 'US' },
]

export function findLayout(typedText: string): LayoutFinding {
  const text = trimEnds(typedText)
  const sent = [...layoutText]
  const typed = [...text]
  // Where characters are missing, the others are at other places.
  const isWhole = typed.length === sent.length
  const changed = isWhole ? sent.flatMap((one, index) => (typed[index] === one ? [] : [{ sent: one, typed: typed[index]! }])) : []
  if (changed.length === 0 && isWhole) return { changed: [], advice: null }
  const layout = layouts.find(({ is }) => is((one) => typed[sent.indexOf(one)]))
  const set =
    'Set the same layout in both: in the reader with the option “Keyboard layout” of the builder, in the PC in its keyboard settings.'
  const found = layout
    ? `The reader types as for a ${layout.reader} keyboard, and this PC takes it as a ${layout.pc} one.`
    : 'The reader and this PC have different keyboard layouts.'
  return { changed, advice: `${found} ${set}` }
}
