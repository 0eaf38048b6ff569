/** A mutant that no test can kill, as the product does the same with it. */
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

const wizard = 'web/src/publications/wizard-state.ts'
const updateTime = 'contract/src/publications/update-time.ts'
const zoneClock = 'contract/src/publications/zone-clock.ts'
const scanBarcode = 'web/src/publications/content/scan-barcode.ts'
const commands = 'contract/src/barcode/commands.ts'
const selection = 'contract/src/barcode/selection.ts'
const selectionReading = 'contract/src/barcode/selection-reading.ts'
const followUps = 'contract/src/cases/follow-ups.ts'

export const equivalents: readonly Equivalent[] = [
  ...ofLine(
    'agent/src/steps/update-reader.ts',
    "update.content = transition.to === 'applying' ? transition.content : null",
    'Only an update that is applied has content, and no other is asked for it.',
    [["transition.to === 'applying'", 'true']],
  ),
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
  ...ofLine(
    'contract/src/barcode/catalogue-merge.ts',
    'at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key]',
    'The path of an issue leads through what the file has.',
    [['(at as Record<PropertyKey, unknown> | null | undefined)?.[key]', '(at as Record<PropertyKey, unknown> | null | undefined)[key]']],
  ),
  ...ofLine(commands, "const command = text.includes('\"') ? parseCommand(text) : null", 'A command without a text is printed as it was.', [
    ["'\"'", '""'],
  ]),
  ...ofLine(
    commands,
    "const canonical = ({ name, value }: Parameter) => ({ name, value: value.startsWith('\"') ? quoteValue(unquoteValue(value)) : value })",
    'A text has a quote at both ends, any other value at none.',
    [["value.startsWith('\"')", "value.endsWith('\"')"]],
  ),
  ...ofLine(
    selection,
    "if (typeof value !== 'number' || !Number.isSafeInteger(value)) return 'must be a whole number'",
    'What is no number is no whole one.',
    [["typeof value !== 'number'", 'false']],
  ),
  ...ofLine(
    selection,
    "if ((option.type !== 'string' && option.type !== 'number') || option.formatter === null) throw new Error(`${option.id}: no command`)",
    'An option of another type has a way for each of its values.',
    [["option.type !== 'string' && option.type !== 'number'", 'false']],
  ),
  ...ofLine(
    selection,
    'return code < 0x20 ? String.fromCharCode(0x2400 + code) : `/${code.toString(16)}`',
    'A blank is no control character.',
    [['code < 0x20', 'code <= 0x20']],
  ),
  ...ofLine(
    selectionReading,
    "if (option.type !== 'string' && option.type !== 'number') return patterns",
    'Other options have no formatter.',
    [["option.type !== 'string' && option.type !== 'number'", 'false']],
  ),
  ...ofLine(selectionReading, 'for (let end = commands.length; end > 0; ) {', 'Nothing is left to read, and no command is at -1.', [
    ['end > 0', 'end >= 0'],
  ]),
  ...ofLine(selectionReading, 'const matched: string[] = []', 'No command reads so, and each match would have it.', [
    ['[]', '["Stryker was here"]'],
  ]),
  ...ofLine(selectionReading, "const command = list[end - 1] ?? ''", 'No option sends a command that reads so.', [
    ["''", '"Stryker was here!"'],
  ]),
  ...ofLine(selectionReading, 'const at = fixed === undefined ? template.indexOf(slot) : -1', 'A fixed command has no slot.', [
    ['fixed === undefined', 'true'],
  ]),
  ...ofLine(selectionReading, 'if (at < 0 && command !== template) {', 'No command begins with its value.', [['at < 0', 'at <= 0']]),
  ...ofLine(
    selectionReading,
    'if (at >= 0) value = parseValue(option, command, template.slice(0, at), template.slice(at + slot.length))',
    'No command begins with its value.',
    [['at >= 0', 'at > 0']],
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
  ...ofLine(zoneClock, 'if (!format) {', 'The stored format is only faster.', [['!format', 'true']]),
  ...ofLine(updateTime, '} catch {', 'Undefined is false too.', [['{\n    return false\n  }', '{}']]),
  ...ofLine(
    updateTime,
    'if (wall === undefined) throw new RangeError(`no ${updateTime} within three days in ${timeZone}`)',
    'Each clock shows a time of day within three days, or skips it.',
    [['`no ${updateTime} within three days in ${timeZone}`', '``']],
  ),
  ...ofLine(zoneClock, 'if (wallClock(middle, timeZone) < wall) before = middle', 'No clock shows a time that it skips.', [
    ['wallClock(middle, timeZone) < wall', 'wallClock(middle, timeZone) <= wall'],
  ]),
  ...ofLine(updateTime, 'if (stopTime === null || due > now) return due', 'Readers may begin at that instant either way.', [
    ['due > now', 'due >= now'],
  ]),
  ...ofLine(
    updateTime,
    'const last = onDays(updateTime, now, timeZone, [1, 0, -1, -2]).find((wall) => toInstant(wall, timeZone) <= now)',
    'Yesterday’s update time has always passed.',
    [['-2', '+2']],
  ),
  ...ofLine('contract/src/schedule/open-times.ts', 'if (days.size === 0) return undefined', 'No day is among none: it is only faster.', [
    ['days.size === 0', 'false'],
  ]),
  ...ofLine(
    'web/src/publications/content/firmware-choice.ts',
    "if (choice.type === 'custom' && choice.data === null) return 'Choose a firmware file first.'",
    'Only a custom firmware has data.',
    [["choice.type === 'custom'", 'true']],
  ),
  ...ofLine('web/src/zones/zone-row.ts', "const known = typeof overview === 'string' ? [] : overview", 'No zone has the id undefined.', [
    ['[]', '["Stryker was here"]'],
  ]),
  ...ofLine(
    'web/src/zones/zone-row.ts',
    'return `${name.slice(0, characters[shortLength - 1]?.index).trimEnd()}…`',
    'It has more than 60 characters.',
    [['characters[shortLength - 1]?.index', 'characters[shortLength - 1].index']],
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
    "const { year, month, day } = formatParts(date, timeZone, { year: 'numeric', month: 'numeric', day: 'numeric' })",
    'These are the parts of a date without options.',
    [["{ year: 'numeric', month: 'numeric', day: 'numeric' }", '{}']],
  ),
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
