import { expect, test } from 'vitest'
import facts from '../testing/reader-commands.json' with { type: 'json' }
import { builtInCatalogue } from './built-in-catalogue.ts'
import { builderDevices, Catalogue, listOptions, listSections, listWays, Option } from './catalogue.ts'
import { catalogueFor, evidenceFor } from './catalogue-devices.ts'
import { commandsFor } from './selection.ts'
import { unplacedSettings } from './unplaced-settings.ts'

const options = listOptions(builtInCatalogue)
const option = (id: string) => options.find((one) => one.id === id)!
const listedEvidence = { guide: 'published', secondary: 'secondary' }
const listed = facts.map((fact) => ({ ...fact, key: fact.code ?? fact.commands.join(' ') }))
const placed = options.flatMap((one) =>
  listWays(one).map(({ commands, setting, value }) => ({ option: one, value, setting, commands, key: setting.code ?? commands.join(' ') })),
)

test('[BLD-11 ENT-31] six categories of sections with titles, symbologies by a sidebar of groups', () => {
  expect(builtInCatalogue.map(({ title }) => title)).toEqual([
    'Communications',
    'Custom Prefix and Suffix',
    'Scanner Functions',
    'Input Encoding and Output Conversion',
    'Simple Data Formatting',
    'Symbologies',
  ])
  const [symbologies, ...others] = builtInCatalogue.toReversed()
  expect(symbologies?.sidebar?.map(({ title }) => title)).toHaveLength(27)
  for (const category of others) expect(category.sections).toBeDefined()
  for (const section of builtInCatalogue.flatMap(listSections)) expect(section.options.length, section.id).toBeGreaterThan(0)
})

test('each of the 380 published settings has one home with its commands, or a written reason for having none', () => {
  const homes = [
    ...placed.map(({ key, commands }) => ({ key, commands })),
    ...unplacedSettings.map((one) => ({ key: one.code ?? one.commands.join(' '), commands: one.commands })),
  ]
  const byKey = (a: { key: string }, b: { key: string }) => a.key.localeCompare(b.key)
  expect(homes.toSorted(byKey)).toEqual(listed.map(({ key, commands }) => ({ key, commands })).toSorted(byKey))
  for (const { reason } of unplacedSettings) expect(reason).toMatch(/\.$/)
})

test('a setting is for the readers that the sources name, and as well known', () => {
  for (const { option: one, setting, key, value } of placed) {
    const fact = listed.find((row) => row.key === key)!
    // The listing names the CR5200 for only one baud rate; see the note there.
    const named = fact.devices.filter((device) => !(device === 'CR5200' && one.id.startsWith('rs-232-')))
    const devices = (setting.devices ?? one.applicableDevices).filter((device) => !setting.inferredDevices?.includes(device))
    expect(devices.filter((device) => device !== '1500DPM').toSorted(), key).toEqual(named.toSorted())
    expect(devices.includes('1500DPM'), key).toBe(devices.includes('CR1500'))
    const device = named.includes('CR2700') ? 'CR2700' : devices[0]!
    expect(evidenceFor(one, device, value), key).toBe(listedEvidence[fact.evidence as 'guide' | 'secondary'])
  }
})

test('the evidence of an option: certain for the CR2700 only, inferred for the 1500DPM, that of its least known state', () => {
  expect(builderDevices.map((device) => evidenceFor(option('code-128'), device))).toEqual([
    'secondary',
    'published',
    'secondary',
    'secondary',
    'inferred',
    'secondary',
    'secondary',
  ])
  expect(evidenceFor(option('aztec'), 'CR2700')).toBe('secondary')
  expect(evidenceFor(option('aztec'), 'CR2700', false)).toBe('published')
  expect(evidenceFor(option('aztec'), 'CR950', false)).toBe('inferred')
  expect(evidenceFor(option('duplicate-scan-delay'), 'CR2700', 1000)).toBe('published')
  expect(evidenceFor(option('duplicate-scan-delay'), 'CR2700', 1001)).toBe('inferred')
  expect(evidenceFor(option('code-39-minimum-length'), 'CR2700')).toBe('unknown')
})

test('[BLD-03] the builder knows seven readers, and each has options', () => {
  expect([...builderDevices]).toEqual(['CR1100', 'CR2700', 'CR1500', 'CR5200', '1500DPM', 'CR8200', 'CR950'])
  expect(listOptions(catalogueFor(builtInCatalogue, '1500DPM'))).toEqual(listOptions(catalogueFor(builtInCatalogue, 'CR1500')))
})

test('[BLD-13 BLD-14] a reader has the options and choices that apply to it; what is empty then is left out', () => {
  for (const device of builderDevices) {
    const narrowed = catalogueFor(builtInCatalogue, device)
    const ids = options.filter(({ applicableDevices }) => applicableDevices.includes(device)).map(({ id }) => id)
    expect(listOptions(narrowed).map(({ id }) => id)).toEqual(ids)
    for (const section of narrowed.flatMap(listSections)) expect(section.options).not.toEqual([])
    for (const { sidebar } of narrowed) expect(sidebar?.filter(({ sections }) => sections.length === 0) ?? []).toEqual([])
  }
  const ids = (device: (typeof builderDevices)[number]) =>
    catalogueFor(builtInCatalogue, device).flatMap((one) => [...(one.sidebar ?? []), ...listSections(one)].map(({ id }) => id))
  expect(ids('CR2700')).not.toContain('rs-232')
  expect(ids('CR950')).toContain('rs-232')
  expect(ids('CR950')).not.toContain('postal')
  expect(ids('CR5200')).toContain('age-verification')
  const modes = (device: (typeof builderDevices)[number]) => {
    const mode = listOptions(catalogueFor(builtInCatalogue, device)).find(({ id }) => id === 'interface-mode')
    return mode?.type === 'oneOf' ? mode.choices.map(({ id }) => id) : []
  }
  expect(modes('CR2700')).toEqual(['usb-keyboard', 'usb-hid-vendor', 'bluetooth-app'])
})

test('[BLD-14] a category without any option for a reader is left out', () => {
  const [first] = builtInCatalogue
  const section = { id: 's', title: 'S', options: [{ ...option('age-verification') }] }
  const group = { id: 'g', title: 'G', sections: [section] }
  const catalogue = [
    { ...first!, sections: [section] },
    { id: 'c', title: 'C', sidebar: [group] },
  ]
  expect(catalogueFor(catalogue, 'CR5200')).toHaveLength(2)
  expect(catalogueFor(catalogue, 'CR950')).toEqual([])
})

test('[BLD-12] beep volume is four commands a choice: 3, 20, 100 and 0', () => {
  const volume = option('beep-volume')
  const commands = (value: number) => ['FBGRSVO', 'FBCBSVO', 'FBCMSVO', 'FBERSVO'].map((command) => `${command}${value}`)
  expect(listWays(volume).map(({ name, commands }) => [name, commands])).toEqual([
    ['Low', commands(3)],
    ['Medium', commands(20)],
    ['High', commands(100)],
    ['Off', commands(0)],
  ])
})

test('[BLD-20] decode lengths are numbers from 0 without a maximum, and have no public command', () => {
  const lengths = options.filter(({ id }) => id.endsWith('-length'))
  expect(lengths).toHaveLength(24)
  for (const one of lengths) {
    expect(one).toMatchObject({
      type: 'number',
      bounds: [0, null],
      formatter: null,
      evidence: 'unknown',
      reason: expect.stringMatching(/\.$/),
    })
    expect(() => commandsFor(one, 4)).toThrow('does not know the command')
  }
})

test('every option has a label of its own, and no label is the setting of another', () => {
  const labels = options.map(({ label }) => label.toLowerCase())
  expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([])
})

test('a reader starts in one state of an option, save for interfaces that differ by its variant', () => {
  const several = options.flatMap((one) =>
    builderDevices
      .filter((device) => listWays(one).filter(({ setting }) => setting.defaultOn?.includes(device)).length > 1)
      .map((device) => `${one.id} ${device}`),
  )
  expect(several).toEqual(['interface-mode CR8200', 'interface-mode CR950'])
})

test('a preset has the commands of its value', () => {
  for (const one of options) {
    if (one.type !== 'string' && one.type !== 'number') continue
    for (const { value, commands } of listWays(one)) expect(commandsFor(one, value)).toBe(commands)
  }
})

const sample = option('code-39')
const number = { ...option('motion-brightness'), presets: [] }
const text = { ...option('prefix'), presets: [] }

test.for<[string, object, RegExp | null]>([
  ['as it is', sample, null],
  ['unknown with commands', { ...sample, evidence: 'unknown', reason: 'No.' }, /evidence unknown if it has no command, and only then/],
  ['no commands, yet known', { ...sample, enabledCmd: null, disabledCmd: null }, /evidence unknown if it has no command, and only then/],
  ['a state unknown', { ...sample, enabledSetting: { evidence: 'unknown' } }, /./],
  ['unknown without a reason', { ...option('code-39-minimum-length'), reason: undefined }, /must have a reason/],
  ['a reason without need', { ...sample, reason: 'No.' }, /must have a reason if its evidence is unknown, and only then/],
  ['no command', { ...sample, enabledCmd: ['on'] }, /does not begin with a subsystem/],
  ['an empty list', { ...sample, enabledCmd: [] }, /must have a command/],
  ['two commands in one', { ...sample, enabledCmd: ['SYCO39SEN1\x03CFR'] }, /control character/],
  ['a device it has not', { ...sample, applicableDevices: ['CR950'] }, /has a setting for CR\d+, which is not among its applicableDevices/],
  ['an unknown device', { ...sample, applicableDevices: ['V1300'] }, /./],
  ['a property too many', { ...sample, color: 1 }, /./],
  ['number', number, null],
  ['number without a slot', { ...number, formatter: ['AGCRSMB1'] }, /must have one \{value\}/],
  ['number with two slots', { ...number, formatter: ['AGCRSMB{value}', 'CDVASBT{value}'] }, /must have one \{value\}/],
  ['number in quotes', { ...number, formatter: ['CDOPSPX"{value}"'] }, /must have \{value\}, as it is a number/],
  ['text', text, null],
  ['text without quotes', { ...text, formatter: ['CDOPSPX{value}'] }, /where a parameter/],
  ['text beside others in quotes', { ...text, formatter: ['CDOPSPX"a{value}"'] }, /must have "\{value\}", as it is a text/],
  ['multi-type', { id: 'm', label: 'M', type: 'multi', applicableDevices: ['CR950'], evidence: 'operator' }, null],
])('[ENT-32] the schema of an option: %s', ([, given, words]) => {
  const parsed = Option.safeParse(given)
  const message = parsed.error?.issues.map((issue) => issue.message).join('; ') ?? null
  if (words === null) expect(message).toBeNull()
  else expect(message).toMatch(words)
})

test.for<[string, (catalogue: Catalogue) => Catalogue, RegExp]>([
  ['an option twice', ([first, ...rest]) => [first!, ...rest, { ...first!, id: 'other' }], /twice/],
  [
    'a category twice',
    (all) => [...all, { id: 'symbologies', title: 'S', sections: [] }],
    /has the category, group or section symbologies twice/,
  ],
  ['sections and a sidebar', ([first]) => [{ ...first!, sidebar: [] }], /either sections or a sidebar/],
  ['neither', ([first]) => [{ ...first!, sections: undefined }], /either sections or a sidebar/],
])('[ENT-31] the schema of the catalogue refuses %s', ([, change, words]) => {
  const parsed = Catalogue.safeParse(change(builtInCatalogue))
  expect(parsed.error?.issues.map((issue) => issue.message).join('; ')).toMatch(words)
})
