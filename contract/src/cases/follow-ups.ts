/** What somebody added to a case later. Cases have one text, so follow-ups stand in it, each under a line of its own. */
export interface FollowUp {
  /** To the minute, in UTC: `2027-01-31 08:30`. */
  at: string
  by: string
  text: string
}

const head = /^--- (\d{4}-\d\d-\d\d \d\d:\d\d) UTC, (\S+):$/

/** Text of somebody in which no line passes for the head of a follow-up, so that nobody speaks in another's name. */
export const withoutHeads = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/^---/gm, ' ---')

/** A case's text with a follow-up at its end. */
export const withFollowUp = (description: string, { at, by, text }: Omit<FollowUp, 'at'> & { at: Date }): string =>
  `${description.trimEnd()}\n\n--- ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${by}:\n${withoutHeads(text.trim())}`

/** A case's text in its parts: what was said first, and what followed. */
export function splitFollowUps(description: string): { first: string; followUps: FollowUp[] } {
  const first: string[] = []
  const followUps: { at: string; by: string; lines: string[] }[] = []
  for (const line of description.split(/\r?\n/)) {
    const [, at, by] = head.exec(line) ?? []
    if (at !== undefined && by !== undefined) followUps.push({ at, by, lines: [] })
    else (followUps.at(-1)?.lines ?? first).push(line)
  }
  const joinLines = (lines: string[]) => lines.join('\n').trim()
  return { first: joinLines(first), followUps: followUps.map(({ at, by, lines }) => ({ at, by, text: joinLines(lines) })) }
}
