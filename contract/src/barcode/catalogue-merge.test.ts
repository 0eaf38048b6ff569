import { expect, test } from 'vitest'
import { builtInCatalogue as catalogue } from './built-in-catalogue.ts'
import { listOptions, listSections } from './catalogue.ts'
import { evidenceFor } from './catalogue-devices.ts'
import { findAmbiguities, mergeCatalogue } from './catalogue-merge.ts'
import { commandsFor } from './selection.ts'

const lengths = { id: 'code-39-length', options: [{ id: 'code-39-minimum-length', formatter: ['SYCO39SZZ{value}'] }] }
const inCode39 = (section: object) => [{ id: 'symbologies', sidebar: [{ id: 'code-39', sections: [section] }] }]
const added = {
  id: 'night-mode',
  label: 'Night mode',
  type: 'boolean',
  applicableDevices: ['CR950'],
  enabledCmd: ['FBZZSEN1'],
  disabledCmd: null,
}

function merged(file: unknown) {
  const result = mergeCatalogue(catalogue, file)
  if ('problems' in result) throw new Error(result.problems.join('\n'))
  return result.catalogue
}

test('an operator supplies the command of an option that has none', () => {
  const options = listOptions(merged(inCode39(lengths)))
  const option = options.find(({ id }) => id === 'code-39-minimum-length')!
  expect(option).toMatchObject({ label: 'Code 39 minimum length', evidence: 'operator', bounds: [0, null] })
  expect(option.reason).toBeUndefined()
  expect(commandsFor(option, 4)).toEqual(['SYCO39SZZ4'])
  expect(evidenceFor(option, '1500DPM')).toBe('operator')
  expect(options.filter(({ id }) => id !== option.id)).toEqual(listOptions(catalogue).filter(({ id }) => id !== option.id))
})

test('an operator corrects a command in place, and answers for the whole option', () => {
  const file = [
    {
      id: 'symbologies',
      sidebar: [{ id: 'aztec', sections: [{ id: 'aztec-decoding', options: [{ id: 'aztec', enabledCmd: ['SYAZTCSEN1,PO0'] }] }] }],
    },
  ]
  const options = listOptions(merged(file))
  const aztec = options.find(({ id }) => id === 'aztec')!
  expect(commandsFor(aztec, true)).toEqual(['SYAZTCSEN1,PO0'])
  expect(commandsFor(aztec, false)).toEqual(['SYAZTCSEN0'])
  expect([evidenceFor(aztec, 'CR2700'), evidenceFor(aztec, 'CR950', false)]).toEqual(['operator', 'operator'])
  expect(options.map(({ id }) => id)).toEqual(listOptions(catalogue).map(({ id }) => id))
})

test('an operator adds an option to the end of a section', () => {
  const file = [{ id: 'scanner-functions', sections: [{ id: 'feedback', options: [added] }] }]
  const section = merged(file)
    .flatMap(listSections)
    .find(({ id }) => id === 'feedback')
  expect(section?.options.at(-1)).toEqual({ ...added, evidence: 'operator' })
})

test('an empty file changes nothing', () => expect(merged([])).toEqual(catalogue))

const feedback = (...options: object[]) => [{ id: 'scanner-functions', sections: [{ id: 'feedback', options }] }]

test.for<[string, unknown, string[]]>([
  ['no category', [{ id: 'lights.2', sections: [] }], ['The file: there is no category "lights.2".']],
  [
    'no group',
    [{ id: 'symbologies', sidebar: [{ id: 'code-40', sections: [lengths] }] }],
    [
      'symbologies: there is no group "code-40".',
      'symbologies, code-40, code-39-length: the option "code-39-minimum-length" belongs to symbologies, code-39, code-39-length.',
    ],
  ],
  ['no section', inCode39({ id: 'colors', options: [] }), ['symbologies, code-39: there is no section "colors".']],
  [
    'a section without its group',
    [{ id: 'symbologies', sections: [lengths] }],
    [
      'symbologies: there is no section "code-39-length".',
      'symbologies, code-39-length: the option "code-39-minimum-length" belongs to symbologies, code-39, code-39-length.',
    ],
  ],
  [
    'an option elsewhere',
    feedback({ id: 'aztec' }),
    ['scanner-functions, feedback: the option "aztec" belongs to symbologies, aztec, aztec-decoding.'],
  ],
  ['an option twice', feedback(added, added), Array(2).fill('scanner-functions, feedback: the option "night-mode" is in the file twice.')],
  [
    'no command',
    feedback({ ...added, enabledCmd: ['FBZZSEN1', 'on\x03CFR'] }),
    ['scanner-functions, feedback, night-mode, enabledCmd, 1: The command has a control character (03).'],
  ],
  [
    'a choice without a command',
    feedback({ id: 'beep-volume', choices: [{ id: 'low', name: 'Low', cmd: [] }] }),
    ['scanner-functions, feedback, beep-volume, choices, low, cmd: must have a command.'],
  ],
  [
    'no command at all',
    feedback({ ...added, enabledCmd: null }),
    ['scanner-functions, feedback, night-mode: must have the evidence unknown if it has no command, and only then.'],
  ],
  [
    'what another option sends',
    feedback({ ...added, applicableDevices: ['CR950', 'CR1100'], enabledCmd: ['SYCO39SEN1'] }),
    [
      'code-39: "On" sends the same to a CR1100 as the option "night-mode".',
      'code-39: "On" sends the same to a CR950 as the option "night-mode".',
    ],
  ],
])('refuses %s, and says where', ([, file, problems]) => {
  expect(mergeCatalogue(catalogue, file)).toEqual({ problems })
})

test.for<[unknown, RegExp]>([
  [null, /^The file: /],
  [{ categories: [] }, /^The file: /],
  [[{ id: 'symbologies', sectoins: [] }], /^symbologies: /],
  [inCode39({ id: 'code-39-length' }), /^symbologies, code-39, code-39-length, options: /],
  [feedback({ label: 'Night mode' }), /^scanner-functions, feedback, 0, id: /],
  [feedback({ ...added, color: 'red' }), /^scanner-functions, feedback, night-mode: /],
  [feedback({ ...added, label: undefined }), /^scanner-functions, feedback, night-mode, label: /],
])('a file that is no catalogue is refused with the place: %j', ([file, sentence]) => {
  const result = mergeCatalogue(catalogue, file)
  expect('problems' in result ? result.problems.join('\n') : 'merged').toMatch(sentence)
})

test('commands that mean the same are the same, on the readers that both options are for', () => {
  const option = {
    id: 'a',
    label: 'A',
    type: 'oneOf' as const,
    applicableDevices: ['CR2700' as const],
    evidence: 'operator' as const,
    choices: [{ id: 'x', name: 'X', cmd: ['CDOPSPX" "'] }],
  }
  const other = { ...option, id: 'b', choices: [{ id: 'x', name: 'X', cmd: ['CDOPSPX"/20"'] }] }
  const of = (...options: (typeof option)[]) => [{ id: 'c', title: 'C', sections: [{ id: 's', title: 'S', options }] }]
  expect(findAmbiguities(of(option, other))).toEqual(['b: "X" sends the same to a CR2700 as the option "a".'])
  expect(findAmbiguities(of(option, { ...other, applicableDevices: ['CR950' as never] }))).toEqual([])
  const sending = (...cmd: string[]) => ({ ...other, id: cmd.length === 1 ? 'one' : 'two', choices: [{ id: 'x', name: 'X', cmd }] })
  expect(findAmbiguities(of(sending('LAINSALBel', 'CFR'), sending('LAINSALBelCFR')))).toEqual([])
})
