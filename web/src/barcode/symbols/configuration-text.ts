import { commandProblem, type Refusal } from '@lectern/contract/barcode/commands.ts'
import { decodePayload } from '@lectern/contract/barcode/configuration-payload.ts'
import { endOfEnvelope, endOfPart, envelopeStart, toBytes } from '@lectern/contract/barcode/envelope.ts'
import { splitRunTogether } from '@lectern/contract/barcode/lost-controls.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'

/** The commands of each barcode, in the order of scanning. */
export interface Parts {
  parts: string[][]
}

const names: Record<string, string> = { SOH: '\x01', STX: '\x02', ETX: '\x03', EOT: '\x04', GS: '\x1d' }

/** How a text box shows a control character: `␁` for SOH. */
export const visible = (control: string): string => String.fromCharCode(0x2400 + control.charCodeAt(0))

/** A configuration that sets every option of a reader has some 300. */
const mostCommands = 2_000

/**
 * Reads commands: from contents of barcodes, whose control characters may be visible symbols; from a JSON list, alone or in an address; or
 * from a text with lines, spaces or semicolons between them. Where control characters were lost, the commands of a barcode stand one behind
 * the other. Null for a blank text.
 */
export function parseCommandText(text: string): Parts | Refusal | null {
  const raw = withControls(text)
  if (raw.trim() === '') return null
  if (raw.includes(envelopeStart)) return parsePayloads(raw)
  const list = parseList(raw)
  return checkParts(list ? [list] : joinParts(splitTokens(raw)))
}

/** Tokens that are commands run together are parts of their own; the other tokens are commands of one part. */
function joinParts(tokens: readonly string[]): string[][] {
  const parts: string[][] = []
  let loose: string[] | undefined
  for (const token of tokens) {
    const split = splitRunTogether(token)
    if (split && (split.length > 1 || split[0]!.length > 1 || split[0]![0] !== token)) {
      parts.push(...split)
      loose = undefined
    } else if (loose) loose.push(token)
    else {
      loose = [token]
      parts.push(loose)
    }
  }
  return parts
}

function checkParts(parts: string[][]): Parts | Refusal {
  const commands = parts.flat()
  if (commands.length > mostCommands)
    return {
      problem: `This is too long for a configuration: it has ${formatNumber(commands.length)} words, and ${formatNumber(mostCommands)} are read.`,
    }
  if (commands.some((command) => commandProblem(command) === null)) return { parts }
  const first = commands[0] ?? ''
  if (/^Y(CFR)?(SY[A-Z0-9]{4}|[A-Z]{2}[A-Z0-9]{2})[SGRXP]/.test(first))
    return {
      problem:
        'This may be a configuration barcode, but the scanner left out its control characters, and its commands are not all known, so they cannot be separated. Drop a picture of it instead.',
    }
  return { problem: `This is no configuration. ${commandProblem(first) ?? ''}`.trim() }
}

function withControls(text: string): string {
  return text
    .replace(/[\u2400-\u241f]/g, (picture) => String.fromCharCode(picture.charCodeAt(0) - 0x2400))
    .replace(/<(SOH|STX|ETX|EOT|GS)>/g, (_, name: string) => names[name] ?? '')
}

/** Reads the barcodes in a text that has at least the beginning of one. Scanners put line ends between them. */
function parsePayloads(text: string): Parts | Refusal {
  const parts: string[][] = []
  for (const rest of text.split(envelopeStart).slice(1)) {
    const end = rest.indexOf(endOfEnvelope)
    const payload = envelopeStart + (end < 0 ? rest.trimEnd() : rest.slice(0, end + 1))
    if (/[^\0-\xff]/u.test(payload)) return { problem: 'The configuration barcode is damaged: it has characters that no barcode has.' }
    const decoded = decodePayload(toBytes(payload))
    if ('problem' in decoded) return decoded
    parts.push(decoded.commands)
  }
  return checkParts(parts)
}

function parseList(text: string): string[] | null {
  const address = /[?&]config=([^&#\s]+)/.exec(text)?.[1]
  try {
    const list: unknown = JSON.parse(address === undefined ? text : decodeURIComponent(address.replaceAll('+', ' ')))
    return Array.isArray(list) && list.length > 0 && list.every((one) => typeof one === 'string') ? list : null
  } catch {
    return null
  }
}

function splitTokens(text: string): string[] {
  const tokens = text.replaceAll(endOfPart, '\n').match(/(?:"[^"\n]*"|[^\s;"]|"(?![^"\n]*"))+/g) ?? []
  return tokens.map((token) => token.replace(/,+$/, '')).filter((token) => token !== '')
}
