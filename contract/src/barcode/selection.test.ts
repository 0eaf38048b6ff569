import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostileText, selections } from '../testing/selections.ts'
import { builtInCatalogue as catalogue } from './built-in-catalogue.ts'
import { type BuilderDevice, builderDevices, listOptions, listWays, type Option } from './catalogue.ts'
import { catalogueFor } from './catalogue-devices.ts'
import { findAmbiguities } from './catalogue-merge.ts'
import { decodePayload, encodePayload, keepLast, splitCommands } from './configuration-payload.ts'
import {
  buildCommands,
  commandGroups,
  commandsFor,
  describe,
  formatCommands,
  type Selection,
  selectionProblems,
  valueProblem,
} from './selection.ts'
import { findConflicts } from './selection-conflicts.ts'
import { readSelection } from './selection-reading.ts'
import { unplacedSettings } from './unplaced-settings.ts'

const option = (id: string) => listOptions(catalogue).find((one) => one.id === id)!
const nothingElse = { reset: false, unknown: [], overridden: [] }

test.for(builderDevices)('any selection for a %s comes back from its commands, its symbol and its numbered symbols', (device) => {
  fc.assert(
    fc.property(selections(catalogue, device), fc.boolean(), (selection, reset) => {
      const commands = buildCommands(catalogue, device, selection)
      expect(readSelection(catalogue, device, commands)).toEqual({ ...nothingElse, selection })
      const decoded = decodePayload(encodePayload({ commands, reset }))
      if ('problem' in decoded) throw new Error(decoded.problem)
      expect(readSelection(catalogue, device, decoded.commands)).toEqual({ ...nothingElse, reset, selection })
      const groups = commandGroups(catalogue, device, selection).map((group) => group.commands)
      const payloads = splitCommands(groups, { reset, maxBytes: 200 })
      if ('problem' in payloads) throw new Error(payloads.problem)
      const sheet = payloads.flatMap((payload) => (payload.reset ? ['CFR', ...payload.commands] : payload.commands))
      expect(readSelection(catalogue, device, sheet)).toEqual({ ...nothingElse, reset, selection })
    }),
    { numRuns: 80 },
  )
})

test('any selection comes back from its groups of commands in any order', () => {
  const device = 'CR2700'
  fc.assert(
    fc.property(
      selections(catalogue, device).chain((selection) => fc.tuple(fc.constant(selection), shuffledGroups(device, selection))),
      ([selection, commands]) => {
        // A group of several commands after the single option that sets the same cannot be told from that option.
        fc.pre(!sharesCommands(device, selection))
        expect(readSelection(catalogue, device, commands)).toEqual({ ...nothingElse, selection })
      },
    ),
    { numRuns: 80 },
  )
})

const shuffledGroups = (device: BuilderDevice, selection: Selection) => {
  const groups = commandGroups(catalogue, device, selection)
  return fc.shuffledSubarray(groups, { minLength: groups.length }).map((shuffled) => keepLast(shuffled.flatMap(({ commands }) => commands)))
}

const sharesCommands = (device: BuilderDevice, selection: Selection) => {
  const lists = commandGroups(catalogue, device, selection).map(({ commands }) => commands)
  return lists.some((list) => lists.some((other) => other !== list && list.every((command) => other.includes(command))))
}

test('every vendor setting, read from a sheet that has it alone, is the state of its option', () => {
  for (const device of builderDevices) {
    for (const one of listOptions(catalogueFor(catalogue, device))) {
      for (const { value, commands } of listWays(one)) {
        expect(readSelection(catalogue, device, commands), commands.join()).toEqual({ ...nothingElse, selection: { [one.id]: value } })
      }
    }
  }
})

test('no two options send the same commands to a reader', () => expect(findAmbiguities(catalogue)).toEqual([]))

test('unknown commands are kept as they stand and in their order, those without effect apart', () => {
  const known = { 'code-39': true, prefix: 'a"b' }
  const [first, ...others] = buildCommands(catalogue, 'CR2700', known)
  const list = ['what is this', 'CDZZSAA1', first!, 'CDZZSAA2', ...others, 'CDOPSSX"tail']
  expect(readSelection(catalogue, 'CR2700', list)).toEqual({
    reset: false,
    selection: known,
    unknown: ['what is this', 'CDZZSAA2', 'CDOPSSX"tail'],
    overridden: ['CDZZSAA1'],
  })
  expect(readSelection(catalogue, 'CR2700', ['SYCO39SEN1', 'CFR', 'SYCO39SEN0', 'SYC128SEN0', 'SYC128SEN1'])).toEqual({
    reset: true,
    selection: { 'code-39': false, 'code-128': true },
    unknown: [],
    overridden: ['SYCO39SEN1', 'SYC128SEN0'],
  })
  expect(readSelection(catalogue, 'CR2700', [])).toEqual({ ...nothingElse, selection: {} })
})

test.for([
  ['a number above its largest', 'AGCRSMB101'],
  ['a number with zeros before it', 'AGCRSMB007'],
  ['no number', 'AGCRSMB'],
  ['a text without quotes', 'CDOPSPXa', 'CDOPSFO1'],
  ['an empty text', 'CDOPSPX""'],
  ['a text with something before it', 'CDOPSPXx"a"', 'CDOPSFO1'],
  ['a text with something behind it', 'CDOPSPX"a"x', 'CDOPSFO1'],
  ['the start of a command', 'SYCO39SEN'],
])('%s is no choice: %s', ([, ...commands]) => {
  expect(readSelection(catalogue, 'CR2700', commands)).toEqual({ ...nothingElse, selection: {}, unknown: commands })
})

test('a command that is only partly set again has an effect', () => {
  expect(readSelection(catalogue, 'CR2700', ['CDZZSAA1,BB2', 'CDZZSAA2'])).toEqual({
    ...nothingElse,
    selection: {},
    unknown: ['CDZZSAA1,BB2', 'CDZZSAA2'],
  })
})

test('a published value is read from its own commands', () => {
  expect(readSelection(catalogue, 'CR1100', ['RDSTSSD0'])).toEqual({ ...nothingElse, selection: { 'motion-scan-delay': 0 } })
  expect(readSelection(catalogue, 'CR1100', ['RDSTSSD401', 'CDVASBD1'])).toEqual({
    ...nothingElse,
    selection: { 'motion-scan-delay': 401 },
  })
  expect(readSelection(catalogue, 'CR1100', ['RDSTSSD0', 'CDVASBD1'])).toEqual({
    ...nothingElse,
    selection: { 'motion-scan-delay': 0 },
    unknown: ['CDVASBD1'],
  })
})

test('a reader does not understand what only other readers have', () => {
  expect(readSelection(catalogue, 'CR2700', ['CMSESBA9600']).unknown).toEqual(['CMSESBA9600'])
  expect(readSelection(catalogue, 'CR950', ['CMSESBA9600']).selection).toEqual({ 'rs-232-baud-rate': '9600' })
})

test.for(unplacedSettings.map((one) => [one.kind, one.commands] as const))('%s %s is read as what it is', ([kind, commands]) => {
  const { reset, selection, unknown, overridden } = readSelection(catalogue, 'CR5200', commands)
  const isKnown = reset || Object.keys(selection).length > 0
  expect(overridden).toEqual([])
  expect(isKnown || unknown.length === commands.length).toBe(true)
  if (kind === 'query') expect(unknown).toEqual(commands)
})

test('a symbol of an older form is read in the same way: a blank as /20, and a duplicate that moved the last command', () => {
  expect(readSelection(catalogue, 'CR2700', ['CDOPSPX"/20"', 'CDOPSFO1']).selection).toEqual({ prefix: ' ' })
  expect(readSelection(catalogue, 'CR2700', ['CDOPSPX"a"', 'SYCO39SEN1', 'CDOPSSX"/7E"', 'CDOPSFO1'])).toEqual({
    ...nothingElse,
    selection: { prefix: 'a', 'code-39': true, suffix: '~' },
  })
})

test('[BLD-19] the value goes into the slot, and a text cannot leave it', () => {
  expect(commandsFor(option('duplicate-scan-delay'), 750)).toEqual(['CDVASBT750', 'CDVASBD1'])
  expect(commandsFor(option('prefix'), 'A/"$&{value}')).toEqual(['CDOPSPX"A/2f/22$&{value}"', 'CDOPSFO1'])
  fc.assert(
    fc.property(hostileText, (text) => {
      const bytes = encodePayload({ commands: commandsFor(option('suffix'), text), reset: false })
      expect(decodePayload(bytes)).toMatchObject({ commands: { length: 2 } })
    }),
  )
})

test('a published value is sent as it is published', () => {
  expect(commandsFor(option('suffix'), ' ')).toEqual(['CDOPSSX"/20"', 'CDOPSFO1'])
  expect(commandsFor(option('motion-scan-delay'), 0)).toEqual(['RDSTSSD0'])
  expect(commandsFor(option('motion-scan-delay'), 400)).toEqual(['RDSTSSD400', 'CDVASBD1'])
})

test('[BLD-21] a formatter without its argument is an internal error', () => {
  expect(() => formatCommands(['AGCRSMB{value}'], undefined)).toThrow('Missing formatter argument')
  expect(() => formatCommands(['CDOPSPX"{value}"'], '')).toThrow('Missing formatter argument')
})

test('[BLD-22] a multi-type option gives "Not implemented"', () => {
  const multi: Option = { id: 'multi', label: 'Multi', type: 'multi', applicableDevices: ['CR2700'], evidence: 'operator' }
  expect(() => commandsFor(multi, 'a')).toThrow('Not implemented')
  expect(valueProblem(multi, 'a')).toBe('Not implemented')
})

test('an option of no catalogue: a text of at most three characters, without a command', () => {
  const text: Option = {
    id: 'text',
    label: 'Text',
    type: 'string',
    applicableDevices: ['CR2700'],
    evidence: 'operator',
    formatter: null,
    maxLength: 3,
  }
  expect([valueProblem(text, 'abc'), valueProblem(text, 'abcd')]).toEqual([null, 'must have at most 3 characters'])
  expect(() => commandsFor(text, 'abc')).toThrow('text: no command')
  expect(valueProblem({ ...text, evidence: 'unknown' }, 'abc')).toBe('There is no command for this option.')
})

test.for<[string, boolean | string | number, string | null]>([
  ['code-39', true, null],
  ['code-39', 'true', 'must be one of the choices'],
  ['gocode', false, 'must be one of the choices'],
  ['beep-volume', 'low', null],
  ['beep-volume', 'loud', 'must be one of the choices'],
  ['prefix', 'a', null],
  ['prefix', '', 'must be a text'],
  ['prefix', 1, 'must be a text'],
  ['prefix', '€', '"€" cannot be sent to a reader. Use Latin-1 characters only.'],
  ['motion-brightness', 0, null],
  ['motion-brightness', -1, 'must be 0 or more'],
  ['motion-brightness', 101, 'must be 100 or less'],
  ['motion-brightness', 1.5, 'must be a whole number'],
  ['motion-brightness', Number.NaN, 'must be a whole number'],
  ['motion-brightness', '1', 'must be a whole number'],
  ['motion-scan-delay', 1e21, 'must be a whole number'],
  ['code-39-minimum-length', 4, 'Lectern does not know the command for this length.'],
])('what is wrong with %s: %j', ([id, value, problem]) => {
  expect(valueProblem(option(id), value)).toBe(problem)
  if (problem) expect(() => commandsFor(option(id), value)).toThrow(problem)
  if (problem)
    expect(selectionProblems(catalogue, 'CR1500', { [id]: value, prefix: id === 'prefix' ? value : 'a' })).toEqual(new Map([[id, problem]]))
})

test('what a reader does not have cannot be chosen for it, and is not sent', () => {
  const selection = { 'rs-232-baud-rate': '9600', 'no-such-option': true, 'interface-mode': 'rs-232', 'code-39': true, constructor: true }
  expect(selectionProblems(catalogue, 'CR2700', selection)).toEqual(
    new Map([
      ['rs-232-baud-rate', 'CR2700 has no such option'],
      ['no-such-option', 'CR2700 has no such option'],
      ['interface-mode', 'must be one of the choices'],
      ['constructor', 'CR2700 has no such option'],
    ]),
  )
  expect(() => buildCommands(catalogue, 'CR2700', { 'rs-232-baud-rate': '9600', 'code-39': true })).toThrow(
    'rs-232-baud-rate: CR2700 has no such option',
  )
  expect(findConflicts(catalogue, 'CR2700', { ...selection, prefix: '€', 'data-validation': 'udi-hibc' })).toEqual([])
})

test('[BLD-12] the lines of the panel, in the order of the catalogue', () => {
  const selection = {
    'code-39': false,
    'beep-volume': 'low',
    suffix: '\x01Y\x1ean//n\x04',
    prefix: 'a\t\x7f',
    'duplicate-scan-delay': 5000,
    'motion-brightness': 30,
    'code-39-minimum-length': 4,
  }
  const lines = describe(catalogue, 'CR2700', selection)
  expect(lines.map(({ label, value, commands }) => `${label}: ${value} | ${commands.join(' ')}`)).toEqual([
    'Prefix: a␉/7f | CDOPSPX"a/09/7f" CDOPSFO1',
    'Suffix: Enter, USB keyboard | CDOPSSX"/01Y/1ean/2f/2fn/04" CDOPSFO1',
    'Beep volume: Low | FBGRSVO3 FBCBSVO3 FBCMSVO3 FBERSVO3',
    'Duplicate scan delay: 5 seconds | CDVASBT5000 CDVASBD1',
    'Maximum brightness for motion: 30 % | AGCRSMB30',
    'Code 39: Off | SYCO39SEN0',
    'Code 39 minimum length: 4 characters | ',
  ])
})

test.for<[BuilderDevice, Selection, string[]]>([
  ['CR2700', { prefix: 'a', suffix: 'b', 'code-39': true }, []],
  [
    'CR2700',
    { prefix: 'a', 'data-conversion': 'none' },
    ['"Prefix: a" and "Data conversion: None" set CDOPFO to different values; the reader keeps the second.'],
  ],
  [
    'CR2700',
    { 'code-39': false, 'code-39-full-ascii': true },
    ['"Code 39 full ASCII: On" and "Code 39: Off" set SYCO39EN to different values; the reader keeps the second.'],
  ],
  [
    'CR2700',
    { aztec: false, 'aztec-inverse': true },
    ['"Aztec: Off" and "Aztec inverse: On" set SYAZTCEN to different values; the reader keeps the second.'],
  ],
  [
    'CR950',
    { 'host-profile': 'rs-232-opos-jpos', 'rs-232-baud-rate': '9600', 'rs-232-flow-control': 'off' },
    ['"Host profile: OPOS or JPOS over RS-232" and "RS-232 baud rate: 9600" set CMSEBA to different values; the reader keeps the second.'],
  ],
  [
    'CR2700',
    { 'alternate-operating-system': false, 'data-framing': 'raw' },
    ['"Linux and Mac hosts: Off" and "Data framing: Raw" set CMCPPM to different values; the reader keeps the second.'],
  ],
  [
    'CR2700',
    { 'alternate-operating-system': false, 'host-profile': 'usb-opos-jpos' },
    [
      '"Linux and Mac hosts: Off" and "Host profile: OPOS or JPOS over USB" set CMMOCM, CMCPPM to different values; the reader keeps the second.',
    ],
  ],
  [
    'CR2700',
    { suffix: 'a', 'erase-prefix-suffix': 'suffix' },
    ['"Suffix: a" and "Erase stored text: Suffix" set CDOPSX to different values; the reader keeps the second.'],
  ],
])('conflicts for a %s in %j', ([device, selection, sentences]) => {
  const conflicts = findConflicts(catalogue, device, selection)
  expect(conflicts.map(({ sentence }) => sentence)).toEqual(sentences)
  for (const { options, wins } of conflicts) expect(wins).toBe(options[1])
})
