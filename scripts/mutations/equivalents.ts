/** A mutant that no test can kill, since the product does the same with it. */
export interface Equivalent {
  file: string
  /** The line it begins in, without the blanks around it. */
  line: string
  /** What Stryker puts in. */
  mutant: string
  reason: string
}

export const equivalents: readonly Equivalent[] = [
  {
    file: 'contract/src/audit/audit-sentence.ts',
    line: "const whole = template.replace(/\\[(.*?)\\]/g, (_, part: string) => (listPlaces(part).every((place) => entry[place]) ? part : ''))",
    mutant: 'listPlaces(part).some(place => entry[place])',
    reason: 'A part in brackets has one place.',
  },
  {
    file: 'contract/src/audit/audit-sentence.ts',
    line: 'return filled(template, entry) ?? filled(anyChange, entry) ?? []',
    mutant: '["Stryker was here"]',
    reason: 'Every entry has a change type, which is all that the second sentence is about.',
  },
  {
    file: 'contract/src/cases/follow-ups.ts',
    line: 'const [, at, by] = head.exec(line) ?? []',
    mutant: '["Stryker was here"]',
    reason: 'The first element is not looked at.',
  },
  {
    file: 'contract/src/cases/follow-ups.ts',
    line: 'if (at !== undefined && by !== undefined) followUps.push({ at, by, lines: [] })',
    mutant: 'true',
    reason: 'A head has both or neither.',
  },
  {
    file: 'contract/src/cases/follow-ups.ts',
    line: 'if (at !== undefined && by !== undefined) followUps.push({ at, by, lines: [] })',
    mutant: 'at !== undefined || by !== undefined',
    reason: 'A head has both or neither.',
  },
  {
    file: 'contract/src/feature-flags.ts',
    line: "const [name = '', value] = entry.split(/=(.*)/s).map((part) => part.trim())",
    mutant: '"Stryker was here!"',
    reason: 'What is split has a first part.',
  },
]
