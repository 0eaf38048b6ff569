/**
 * A follow-up of a case. A case has one text; each follow-up in it is below a line of its own. `at`: to the minute, in UTC: `2027-01-31
 * 08:30`.
 */
export interface FollowUp {
  at: string
  by: string
  text: string
}

const head = /^--- (\d{4}-\d\d-\d\d \d\d:\d\d) UTC, (\S+):$/

// Indents lines that look like the head of a follow-up, so that no text passes for another user's.
export const withoutHeads = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/^---/gm, ' ---')

export const withFollowUp = (description: string, { at, by, text }: Omit<FollowUp, 'at'> & { at: Date }): string =>
  `${description.trimEnd()}\n\n--- ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${by}:\n${withoutHeads(text.trim())}`

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
