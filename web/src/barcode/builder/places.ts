import { type Catalogue, listWays, type Option, type Section } from '@lectern/contract/barcode/catalogue.ts'
import { findSynonyms } from './synonyms.ts'

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

/**
 * Finds options that match every word, or all of them written as one, such as "datamatrix". Those that match by name come first, then by
 * choices, other names, places, commands and setting codes. Where none matches, a word may have one wrong letter.
 */
export function findOptions(places: readonly Place[], text: string): Found[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const all = places.flatMap((place) =>
    place.sections.flatMap((section) => section.options.map((option) => ({ option, place, section: section.title }))),
  )
  const whole = toCompact(text)
  const has = (about: string) => hasWords(about.toLowerCase(), words) || (whole.length > 2 && toCompact(about).includes(whole))
  const named = all.filter(({ option }) => has(option.label))
  const others = all.filter((one) => !named.includes(one) && hasAbout(describePlace(one), words, whole))
  if (named.length + others.length > 0) return [...named, ...others]
  return all.filter(({ option }) =>
    words.every((word) =>
      option.label
        .toLowerCase()
        .split(/[^a-z0-9]+/)
        .some((one) => areAlike(one, word)),
    ),
  )
}

const toCompact = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** A word of two letters, such as CR, begins a word. */
const hasWords = (about: string, words: readonly string[]): boolean =>
  words.every((word) => (word.length > 2 ? about.includes(word) : about.split(/[^a-z0-9]+/).some((one) => one.startsWith(word))))

const hasAbout = (about: readonly string[], words: readonly string[], whole: string): boolean =>
  hasWords(about.join(' ').toLowerCase(), words) || (whole.length > 2 && about.some((one) => toCompact(one).includes(whole)))

/** Equal but for one letter that is wrong, missing or too many. */
function areAlike(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < 4 || Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const rest = (text: string, skipped: number) => text.slice(start + skipped)
  if (a.length === b.length) return rest(a, 1) === rest(b, 1)
  return a.length > b.length ? rest(a, 1) === rest(b, 0) : rest(a, 0) === rest(b, 1)
}

function describePlace({ option, place, section }: Found & { section: string }): string[] {
  const ways = listWays(option).flatMap(({ name, commands, setting }) => [name, ...commands, setting.code ?? ''])
  const formatter = 'formatter' in option ? (option.formatter ?? []) : []
  const about = [option.label, option.help ?? '', place.title, place.category.title, section, ...ways, ...formatter]
  return [...about, findSynonyms(about.join(' '))]
}

/** "Symbologies, Code 128". */
export const formatPlace = ({ title, category }: Place): string => (title === category.title ? title : `${category.title}, ${title}`)
