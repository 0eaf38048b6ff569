import { type Catalogue, listWays, type Option, type Section } from '@lectern/contract/barcode/catalogue.ts'

/** A category, or a group within one. */
export interface Place {
  id: string
  title: string
  category: { id: string; title: string }
  sections: Section[]
}

export function listPlaces(catalogue: Catalogue): Place[] {
  return catalogue.flatMap(({ id, title, sections, sidebar }): Place[] => {
    const category = { id, title }
    return sections ? [{ ...category, category, sections }] : (sidebar ?? []).map((group) => ({ ...group, category }))
  })
}

export const optionsIn = ({ sections }: Place): Option[] => sections.flatMap(({ options }) => options)

export const countChosen = (place: Place, isChosen: (id: string) => boolean): number =>
  optionsIn(place).filter(({ id }) => isChosen(id)).length

export interface Found {
  option: Option
  place: Place
}

export const findOption = (places: readonly Place[], id: string): Found | undefined =>
  places.flatMap((place) => optionsIn(place).map((option) => ({ option, place }))).find(({ option }) => option.id === id)

/** Finds options that match every word. Those that match by name come first, then by choices, places, commands and setting codes. */
export function findOptions(places: readonly Place[], text: string): Found[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const has = (about: string) => words.every((word) => about.toLowerCase().includes(word))
  const all = places.flatMap((place) =>
    place.sections.flatMap((section) => section.options.map((option) => ({ option, place, section: section.title }))),
  )
  const named = all.filter(({ option }) => has(option.label))
  const others = all.filter((one) => !named.includes(one) && has(describePlace(one)))
  return [...named, ...others]
}

function describePlace({ option, place, section }: Found & { section: string }): string {
  const ways = listWays(option).flatMap(({ name, commands, setting }) => [name, ...commands, setting.code ?? ''])
  const formatter = 'formatter' in option ? (option.formatter ?? []) : []
  return [option.label, option.help ?? '', place.title, place.category.title, section, ...ways, ...formatter].join(' ')
}

/** "Symbologies, Code 128". */
export const formatPlace = ({ title, category }: Place): string => (title === category.title ? title : `${category.title}, ${title}`)
