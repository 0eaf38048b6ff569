/** A mutant that no test can kill, since the product does the same with it. */
export interface Equivalent {
  file: string
  /** The line it begins in, without the blanks around it. */
  line: string
  original: string
  /** What Stryker puts in the place of `original`. */
  mutant: string
  reason: string
}

type Change = readonly [original: string, mutant: string]

/** Several mutants of one line, for one reason. */
const ofLine = (file: string, line: string, reason: string, changes: readonly Change[]): Equivalent[] =>
  changes.map(([original, mutant]) => ({ file, line, original, mutant, reason }))

const wizard = 'web/src/publications/wizard.ts'
const updateTime = 'contract/src/publications/update-time.ts'
const scanBarcode = 'web/src/publications/content/scan-barcode.ts'
const followUps = 'contract/src/cases/follow-ups.ts'

export const equivalents: readonly Equivalent[] = [
  ...ofLine(
    'contract/src/audit/audit-sentence.ts',
    "const whole = template.replace(/\\[(.*?)\\]/g, (_, part: string) => (listPlaces(part).every((place) => entry[place]) ? part : ''))",
    'A part in brackets has one place.',
    [['listPlaces(part).every((place) => entry[place])', 'listPlaces(part).some(place => entry[place])']],
  ),
  ...ofLine(
    'contract/src/audit/audit-sentence.ts',
    'return filled(template, entry) ?? filled(anyChange, entry) ?? []',
    'Every entry has a change type, the only place of the second sentence.',
    [['[]', '["Stryker was here"]']],
  ),
  ...ofLine(followUps, 'const [, at, by] = head.exec(line) ?? []', 'The first element is not read.', [['[]', '["Stryker was here"]']]),
  ...ofLine(followUps, 'if (at !== undefined && by !== undefined) followUps.push({ at, by, lines: [] })', 'A head has both or neither.', [
    ['at !== undefined', 'true'],
    ['by !== undefined', 'true'],
    ['at !== undefined && by !== undefined', 'at !== undefined || by !== undefined'],
  ]),
  ...ofLine('contract/src/feature-flags.ts', "const [name = '', value] = splitEntry(entry)", 'A split text has a first part.', [
    ["''", '"Stryker was here!"'],
  ]),
  ...ofLine(updateTime, 'if (!format) {', 'The stored format is only faster.', [['!format', 'true']]),
  ...ofLine(updateTime, 'if (wallClock(middle, timeZone) < wall) before = middle', 'No clock shows a time that it skips.', [
    ['wallClock(middle, timeZone) < wall', 'wallClock(middle, timeZone) <= wall'],
  ]),
  ...ofLine(updateTime, 'if (stopTime === null || due > now) return due', 'Readers may begin at that instant either way.', [
    ['due > now', 'due >= now'],
  ]),
  ...ofLine(
    updateTime,
    'const last = onDays(updateTime, now.getTime(), timeZone, [1, 0, -1, -2]).find((wall) => toInstant(wall, timeZone) <= now.getTime())',
    'Yesterday’s update time has always passed.',
    [['-2', '+2']],
  ),
  ...ofLine(
    updateTime,
    'if (last === undefined || now.getTime() < toInstant(last + open, timeZone)) return due',
    'Yesterday’s update time has always passed.',
    [['last === undefined', 'false']],
  ),
  ...ofLine(
    'web/src/publications/content/firmware-choice.ts',
    "if (choice.type === 'custom' && choice.data === null) return 'Choose a firmware file first.'",
    'Only a custom firmware has data.',
    [["choice.type === 'custom'", 'true']],
  ),
  ...ofLine(scanBarcode, 'const end = row.findIndex((each, right) => right > x && !each)', 'The module at x is dark.', [
    ['right > x', 'right >= x'],
  ]),
  ...ofLine(scanBarcode, 'const width = (end < 0 ? row.length : end) - x', 'Each row ends with light modules.', [
    ['end < 0', 'false'],
    ['end < 0', 'end <= 0'],
  ]),
  ...ofLine(
    'web/src/lib/run-words.ts',
    'return `${part.weekday} ${part.day} ${part.month?.slice(0, 3)} ${part.year}`',
    'A formatted date has a month.',
    [['part.month?.slice', 'part.month.slice']],
  ),
  ...ofLine(
    'web/src/publications/publishing.ts',
    "return results.every((result) => result.status === 'fulfilled' && result.value)",
    'What was rejected has been thrown.',
    [["result.status === 'fulfilled'", 'true']],
  ),
  ...ofLine(
    wizard,
    "const saved = hasPiece(state, { part: 'config', device }) ? state.devices[device]?.config?.choice : undefined",
    '`hasPiece` returns false without them.',
    [
      ['state.devices[device]?.config?.choice', 'state.devices[device]?.config.choice'],
      ['state.devices[device]?.config', 'state.devices[device].config'],
    ],
  ),
  ...ofLine(
    wizard,
    "if (!config || config.type === 'none') throw new Error(\"config can't be null for current page\")",
    '`hasPiece` returns false for none.',
    [
      ["config.type === 'none'", 'false'],
      ["'none'", '""'],
    ],
  ),
  ...ofLine(
    wizard,
    "const firmware = hasPiece(state, { part: 'firmware', device }) ? state.devices[device]?.firmware?.choice : undefined",
    '`hasPiece` returns false without them.',
    [
      ['state.devices[device]?.firmware?.choice', 'state.devices[device]?.firmware.choice'],
      ['state.devices[device]?.firmware', 'state.devices[device].firmware'],
    ],
  ),
  ...ofLine(
    wizard,
    "if (!firmware || firmware.type === 'none') throw new Error(\"firmware can't be null for current page\")",
    '`hasPiece` returns false for none.',
    [
      ["firmware.type === 'none'", 'false'],
      ["'none'", '""'],
    ],
  ),
  ...ofLine(wizard, 'const choice = state.devices[device]?.config?.choice', '`hasPiece` returns false without them.', [
    ['state.devices[device]?.config?.choice', 'state.devices[device]?.config.choice'],
    ['state.devices[device]?.config', 'state.devices[device].config'],
  ]),
  ...ofLine(
    wizard,
    "if (!choice || choice.type === 'none' || configProblem(choice) !== null) return false",
    '`hasPiece` returns false without a choice and for none.',
    [
      ["!choice || choice.type === 'none'", 'false'],
      ["!choice || choice.type === 'none'", "!choice && choice.type === 'none'"],
      ["choice.type === 'none'", 'false'],
      ["'none'", '""'],
    ],
  ),
  ...ofLine(wizard, 'const before = state.devices[device]?.config', '`getPageConfig` throws without it.', [
    ['state.devices[device]?.config', 'state.devices[device].config'],
  ]),
  ...ofLine(
    wizard,
    'const same = before?.enabled === true && sameConfig(before.choice, choice)',
    '`getPageConfig` throws unless it is enabled.',
    [
      ['before?.enabled === true', 'true'],
      ['before?.enabled', 'before.enabled'],
    ],
  ),
]
