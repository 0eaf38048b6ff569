import * as z from 'zod/mini'
import { Catalogue, type Category, listOptions, listWays, type Option, type Section } from './catalogue.ts'
import { canonicalCommand } from './commands.ts'

const Change = z.looseObject({ id: z.string() })
const Named = { id: z.string(), title: z.optional(z.string()) }
const ChangedSection = z.strictObject({ ...Named, options: z.array(Change) })
const ChangedGroup = z.strictObject({ ...Named, sections: z.array(ChangedSection) })

/** For an option that exists, only what differs. */
const OperatorCatalogue = z.array(
  z.strictObject({ ...Named, sections: z.optional(z.array(ChangedSection)), sidebar: z.optional(z.array(ChangedGroup)) }),
)

type Node = { kind: 'category' | 'group' | 'section'; path: string[]; options: z.infer<typeof Change>[] }

/** `problems`: sentences, each with the place in the operator's file. */
export function mergeCatalogue(base: Catalogue, operatorFile: unknown): { catalogue: Catalogue } | { problems: string[] } {
  const file = OperatorCatalogue.safeParse(operatorFile)
  if (!file.success) return { problems: file.error.issues.map(({ path, message }) => sentence(describePath(operatorFile, path), message)) }
  const nodes = file.data.flatMap(listNodes)
  const misplaced = [...unknownPlaces(base, nodes), ...misplacedOptions(base, nodes)]
  if (misplaced.length > 0) return { problems: misplaced }
  const merged = mapSections(base, (section, path) => ({
    ...section,
    options: mergeOptions(
      section.options,
      nodes.filter((node) => samePath(node.path, path)).flatMap(({ options }) => options),
    ),
  }))
  const parsed = Catalogue.safeParse(merged)
  if (!parsed.success) return { problems: parsed.error.issues.map(({ path, message }) => sentence(describePath(merged, path), message)) }
  const problems = findAmbiguities(parsed.data)
  return problems.length > 0 ? { problems } : { catalogue: parsed.data }
}

export function findAmbiguities(catalogue: Catalogue): string[] {
  const owners = new Map<string, Option>()
  const sentences = listOptions(catalogue).flatMap((option) =>
    listWays(option).flatMap(({ name, commands, setting }) =>
      (setting.devices ?? option.applicableDevices).flatMap((device) => {
        const key = [device, ...commands.map(canonicalCommand)].join('\n')
        const owner = owners.get(key) ?? option
        owners.set(key, owner)
        return owner === option ? [] : [`${option.id}: "${name}" sends the same to a ${device} as the option "${owner.id}".`]
      }),
    ),
  )
  return sentences
}

const sentence = (place: string[], problem: string): string => `${place.join(', ') || 'The file'}: ${problem.replace(/\.$/, '')}.`
const samePath = (a: string[], b: string[]): boolean => a.join('/') === b.join('/')

function listNodes({ id, sections = [], sidebar = [] }: z.infer<typeof OperatorCatalogue>[number] | Category): Node[] {
  const below = (path: string[], list: { id: string; options: Node['options'] }[]): Node[] =>
    list.map((section) => ({ kind: 'section', path: [...path, section.id], options: section.options }))
  return [
    { kind: 'category', path: [id], options: [] },
    ...below([id], sections),
    ...sidebar.flatMap((group): Node[] => [{ kind: 'group', path: [id, group.id], options: [] }, ...below([id, group.id], group.sections)]),
  ]
}

function unknownPlaces(base: Catalogue, nodes: Node[]): string[] {
  const known = new Set(base.flatMap(listNodes).map(({ path }) => path.join('/')))
  const isKnown = (path: string[]) => path.length === 0 || known.has(path.join('/'))
  const unknown = nodes.filter(({ path }) => !isKnown(path) && isKnown(path.slice(0, -1)))
  return unknown.map(({ kind, path }) => sentence(path.slice(0, -1), `there is no ${kind} "${path.at(-1)}"`))
}

function misplacedOptions(base: Catalogue, nodes: Node[]): string[] {
  const homes = new Map(base.flatMap(listNodes).flatMap(({ path, options }) => options.map(({ id }) => [id, path] as const)))
  const ids = nodes.flatMap(({ options }) => options.map(({ id }) => id))
  const twice = new Set(ids.filter((id, index) => ids.indexOf(id) < index))
  return nodes.flatMap(({ path, options }) =>
    options.flatMap(({ id }) => {
      const home = homes.get(id) ?? path
      if (twice.has(id)) return [sentence(path, `the option "${id}" is in the file twice`)]
      return samePath(home, path) ? [] : [sentence(path, `the option "${id}" belongs to ${home.join(', ')}`)]
    }),
  )
}

function mapSections(catalogue: Catalogue, change: (section: Section, path: string[]) => unknown): unknown[] {
  return catalogue.map(({ sections, sidebar, ...category }) => ({
    ...category,
    ...(sections && { sections: sections.map((section) => change(section, [category.id, section.id])) }),
    ...(sidebar && {
      sidebar: sidebar.map((group) => ({
        ...group,
        sections: group.sections.map((section) => change(section, [category.id, group.id, section.id])),
      })),
    }),
  }))
}

function mergeOptions(options: Option[], changes: Node['options']): unknown[] {
  const merged = new Map<string, unknown>(options.map((option) => [option.id, option]))
  for (const change of changes) {
    const old = options.find(({ id }) => id === change.id)
    merged.set(change.id, { ...(old && withoutEvidence(old)), ...change, evidence: 'operator' })
  }
  return [...merged.values()]
}

/** Where the operator changes an option, all of it has the operator's evidence. */
function withoutEvidence({ reason: _, ...option }: Option): object {
  return JSON.parse(JSON.stringify(option, (key, value) => (key === 'evidence' ? undefined : value)))
}

function describePath(root: unknown, path: readonly PropertyKey[]): string[] {
  let at = root
  return path.flatMap((key, index) => {
    at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key]
    const id = (at as { id?: unknown } | null | undefined)?.id
    if (typeof id === 'string') return [id]
    const next = path[index + 1]
    return typeof next === 'number' && ['sections', 'sidebar', 'options'].includes(String(key)) ? [] : [String(key)]
  })
}
