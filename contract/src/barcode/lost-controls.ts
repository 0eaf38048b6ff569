/** The subsystems of the 380 published settings, and JS of the vendor's older documents. Commands of others look like values. */
const subsystem = '(?:SY|CM|CD|RD|FB|LA|BT|FW|AG|PM|CF|CK|JS)'
const whole = /CF[RGS]/y
const head = new RegExp(`(?:SY[A-Z0-9]{4}|(?!SY)${subsystem}[A-Z0-9]{2})[SGRXP]`, 'y')
const name = /[A-Z0-9]{2}/y
const relayed = /[A-Z0-9]{2}\[[^[\]\x22]*\]/y
const exactValue = /"(?:[^"/]|\/[0-9a-fA-F]{2})*"|\d+/y
const wordStart = /[A-Za-z]/
const wordPart = /\w/
/** The longest published word has 23 characters. The limit keeps the time in proportion to the text. */
const longestWord = 40

interface Step {
  /** Commands and barcodes up to here. */
  score: number
  from: number
  startsPart: boolean
}

/**
 * Separates the commands of barcodes whose control characters were lost, as a scanner that is a keyboard types them: `Y` and the commands.
 * Takes the reading with the most commands. Null where the text is not made of commands alone.
 */
export function splitRunTogether(text: string): string[][] | null {
  const steps = new Map<number, Step>([[0, { score: 0, from: 0, startsPart: true }]])
  for (let at = 0; at < text.length; at++) {
    const step = steps.get(at)
    if (!step) continue
    const startsPart = text[at] === 'Y'
    const from = startsPart ? at + 1 : at
    for (const end of findEnds(text, from)) {
      const score = step.score + (startsPart ? 2 : 1)
      const known = steps.get(end)
      if (!known || known.score < score) steps.set(end, { score, from, startsPart })
    }
  }
  return collectParts(text, steps)
}

function collectParts(text: string, steps: ReadonlyMap<number, Step>): string[][] | null {
  const parts: string[][] = []
  let commands: string[] = []
  for (let end = text.length; end > 0; ) {
    const step = steps.get(end)
    if (!step) return null
    commands.unshift(text.slice(step.from, end))
    end = step.startsPart ? step.from - 1 : step.from
    if (step.startsPart || end === 0) {
      parts.unshift(commands)
      commands = []
    }
  }
  return parts.length === 0 ? null : parts
}

/** Where a command that begins at `start` may end. */
function findEnds(text: string, start: number): number[] {
  const short = match(whole, text, start)
  const begin = match(head, text, start)
  return [...(short === null ? [] : [short]), ...(begin === null ? [] : findParameterEnds(text, begin, text[begin - 1]!))]
}

function findParameterEnds(text: string, begin: number, verb: string): number[] {
  const relay = match(relayed, text, begin)
  if (relay !== null) return verb === 'X' ? [relay] : []
  const takesValue = verb !== 'G' && verb !== 'R'
  const ends: number[] = verb === 'G' ? [begin] : []
  for (let at = begin; ; ) {
    const named = match(name, text, at)
    if (named === null) return ends
    const values = [...(takesValue ? findValueEnds(text, named) : []), ...(verb === 'S' || verb === 'P' ? [] : [named])]
    ends.push(...values)
    const comma = values.find((end) => text[end] === ',')
    if (comma === undefined) return ends
    at = comma + 1
  }
}

function findValueEnds(text: string, start: number): number[] {
  const exact = match(exactValue, text, start)
  if (exact !== null) return [exact]
  const ends: number[] = []
  if (!wordStart.test(text[start] ?? '')) return ends
  for (let end = start + 1; end <= start + longestWord; end++) {
    ends.push(end)
    if (!wordPart.test(text[end] ?? '')) return ends
  }
  return ends
}

function match(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}
