import * as z from 'zod/mini'
import type { DeviceModel } from '../devices/device-models.ts'
import { Evidence } from '../devices/evidence.ts'
import { endpoint } from '../http/endpoint.ts'
import { commandProblem } from './commands.ts'

export const builderDevices = [
  'CR1100',
  'CR2700',
  'CR1500',
  'CR5200',
  '1500DPM',
  'CR8200',
  'CR950',
] as const satisfies readonly DeviceModel[]
export const BuilderDevice = z.enum(builderDevices)
export type BuilderDevice = z.infer<typeof BuilderDevice>

/** The place of the value in a formatter (spec §3). */
export const slot = '{value}'

const Id = z.string().check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words with hyphens'))
const Words = z.string().check(z.trim(), z.minLength(1, 'must not be empty'))
const Devices = z.array(BuilderDevice).check(z.minLength(1, 'must name a device'))

const free = <T>(problemOf: (value: T) => string | null | undefined | false) =>
  z.check<T>((context) => {
    const message = problemOf(context.value)
    if (message) context.issues.push({ code: 'custom', message, input: context.value })
  })

const Commands = z.array(z.string().check(free(commandProblem))).check(z.minLength(1, 'must have a command'))

/**
 * Certain for the CR2700 only. Where absent, `revision` is 01, and `devices` and `evidence` are the option's. `inferredDevices`: readers
 * that no source names. `note`: what sources disagree on.
 */
const Setting = z.strictObject({
  code: z.optional(z.string().check(z.regex(/^M\d{5}$/, 'must be a setting code, such as M20428'))),
  revision: z.optional(z.string().check(z.regex(/^\d{2}$/, 'must have two digits'))),
  devices: z.optional(Devices),
  inferredDevices: z.optional(Devices),
  defaultOn: z.optional(Devices),
  evidence: z.optional(z.enum(['published', 'operator', 'secondary', 'inferred'])),
  note: z.optional(Words),
})
export type Setting = z.infer<typeof Setting>

const described = {
  id: Id,
  label: Words,
  help: z.optional(Words),
  applicableDevices: Devices,
  evidence: Evidence,
  /** Why there is no command; present for evidence `unknown` only. */
  reason: z.optional(Words),
  note: z.optional(Words),
}

const BooleanOption = z.strictObject({
  ...described,
  type: z.literal('boolean'),
  enabledCmd: z.nullable(Commands),
  enabledSetting: z.optional(Setting),
  disabledCmd: z.nullable(Commands),
  disabledSetting: z.optional(Setting),
})

const Choice = z.strictObject({ id: Id, name: Words, cmd: Commands, setting: z.optional(Setting) })
const OneOfOption = z.strictObject({
  ...described,
  type: z.literal('oneOf'),
  choices: z.array(Choice).check(
    z.minLength(1, 'must have a choice'),
    free((choices) => repeated(choices.map(({ id }) => id)) && 'must have different ids'),
  ),
})

const templates = (form: string, example: string) =>
  z.nullable(
    z.array(z.string().check(free((template) => commandProblem(template.replace(form, example))))).check(
      free((list) => list.join('\n').split(slot).length !== 2 && `must have one ${slot}`),
      free(
        (list) =>
          list.join('\n').includes(`"${slot}"`) !== form.startsWith('"') &&
          `must have ${form}, as it is a ${form === slot ? 'number' : 'text'}`,
      ),
    ),
  )

const preset = <T extends z.core.SomeType>(value: T) => z.strictObject({ name: Words, value, cmd: Commands, setting: z.optional(Setting) })

const StringOption = z.strictObject({
  ...described,
  type: z.literal('string'),
  formatter: templates(`"${slot}"`, '"x"'),
  maxLength: z.optional(z.int().check(z.minimum(1))),
  presets: z.optional(z.array(preset(z.string().check(z.minLength(1))))),
})

const NumberOption = z.strictObject({
  ...described,
  type: z.literal('number'),
  formatter: templates(slot, '0'),
  /** Lowest and highest value; null for no highest (spec §3). */
  bounds: z.tuple([z.int(), z.nullable(z.int())]),
  unit: z.optional(Words),
  presets: z.optional(z.array(preset(z.int()))),
})

/** The builder shows it as "Not implemented" (spec §8). */
const MultiOption = z.strictObject({ ...described, type: z.literal('multi') })

export const Option = z.discriminatedUnion('type', [BooleanOption, OneOfOption, StringOption, NumberOption, MultiOption]).check(
  free(
    (option) =>
      (option.evidence === 'unknown') !== isWithoutCommand(option) && 'must have the evidence unknown if it has no command, and only then',
  ),
  free(
    (option) =>
      (option.evidence === 'unknown') !== (option.reason !== undefined) && 'must have a reason if its evidence is unknown, and only then',
  ),
  free((option) => {
    const stray = listWays(option).flatMap(({ setting: { devices, inferredDevices, defaultOn } }) =>
      [devices, inferredDevices, defaultOn].flatMap((list) => list ?? []),
    )
    const missing = stray.find((device) => !option.applicableDevices.includes(device))
    return missing && `has a setting for ${missing}, which is not among its applicableDevices`
  }),
)
export type Option = z.infer<typeof Option>

export type OneOfOption = z.infer<typeof OneOfOption>
export type StringOption = z.infer<typeof StringOption>
export type NumberOption = z.infer<typeof NumberOption>

const Section = z.strictObject({ id: Id, title: Words, options: z.array(Option) })
export type Section = z.infer<typeof Section>

const Group = z.strictObject({ id: Id, title: Words, sections: z.array(Section) })
export type Group = z.infer<typeof Group>

export const Category = z
  .strictObject({ id: Id, title: Words, sections: z.optional(z.array(Section)), sidebar: z.optional(z.array(Group)) })
  .check(free(({ sections, sidebar }) => (sections === undefined) === (sidebar === undefined) && 'must have either sections or a sidebar'))
export type Category = z.infer<typeof Category>

export const Catalogue = z.array(Category).check(
  free((categories) => {
    const id = repeated([...categories.flatMap(listIds), ...listOptions(categories).map(({ id }) => `option ${id}`)])
    return id && `has the ${id} twice`
  }),
)
export type Catalogue = z.infer<typeof Catalogue>

export const listSections = ({ sections, sidebar }: Category): Section[] => sections ?? sidebar?.flatMap((group) => group.sections) ?? []

export const listOptions = (catalogue: Catalogue): Option[] =>
  catalogue.flatMap((category) => listSections(category).flatMap((section) => section.options))

// An option may have the id of a section or group that contains it, such as "aztec".
const listIds = (category: Category): string[] =>
  [category, ...(category.sidebar ?? []), ...listSections(category)].map(({ id }) => `category, group or section ${id}`)

function isWithoutCommand(option: z.infer<typeof Option>): boolean {
  if (option.type === 'boolean') return option.enabledCmd === null && option.disabledCmd === null
  return (option.type === 'string' || option.type === 'number') && option.formatter === null
}

export type SelectionValue = boolean | string | number

export interface Way {
  value: SelectionValue
  name: string
  commands: string[]
  setting: Setting
}

export function listWays(option: Option): Way[] {
  switch (option.type) {
    case 'boolean':
      return [
        { value: true, name: 'On', commands: option.enabledCmd ?? [], setting: option.enabledSetting ?? {} },
        { value: false, name: 'Off', commands: option.disabledCmd ?? [], setting: option.disabledSetting ?? {} },
      ].filter(({ commands }) => commands.length > 0)
    case 'oneOf':
      return option.choices.map(({ id, name, cmd, setting = {} }) => ({ value: id, name, commands: cmd, setting }))
    case 'multi':
      return []
    default:
      return (option.presets ?? []).map(({ value, name, cmd, setting = {} }) => ({ value, name, commands: cmd, setting }))
  }
}

const repeated = (ids: string[]): string | undefined => ids.find((id, index) => ids.indexOf(id) < index)

export const barcodeEndpoints = {
  getCatalogue: endpoint({
    method: 'GET',
    path: '/api/codedm/catalogue',
    access: 'self',
    limitedRole: 'everything',
    shows: [],
    summary: 'Every option that readers can be configured with, the operator’s own included',
    response: Catalogue,
  }),
}
