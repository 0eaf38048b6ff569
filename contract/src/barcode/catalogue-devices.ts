import { type Evidence, evidences } from '../devices/evidence.ts'
import {
  type BuilderDevice,
  type Catalogue,
  type Category,
  listWays,
  type Option,
  type Section,
  type SelectionValue,
  type Setting,
} from './catalogue.ts'

/** Leaves out sections, groups and categories that have nothing for the reader (spec §5). */
export function catalogueFor(catalogue: Catalogue, device: BuilderDevice): Catalogue {
  const narrow = (sections: Section[]): Section[] =>
    sections.flatMap((section) => {
      const options = section.options.flatMap((option) => optionFor(option, device) ?? [])
      return options.length > 0 ? [{ ...section, options }] : []
    })
  return catalogue.flatMap((category): Category[] => {
    if (category.sections) {
      const sections = narrow(category.sections)
      return sections.length > 0 ? [{ ...category, sections }] : []
    }
    const sidebar = (category.sidebar ?? []).map((group) => ({ ...group, sections: narrow(group.sections) }))
    const filled = sidebar.filter(({ sections }) => sections.length > 0)
    return filled.length > 0 ? [{ ...category, sidebar: filled }] : []
  })
}

function optionFor(option: Option, device: BuilderDevice): Option | null {
  if (!option.applicableDevices.includes(device)) return null
  const has = ({ setting }: { setting?: Setting }) => setting?.devices?.includes(device) ?? true
  switch (option.type) {
    case 'boolean': {
      if (option.evidence === 'unknown') return option
      const enabledCmd = has({ setting: option.enabledSetting }) ? option.enabledCmd : null
      const disabledCmd = has({ setting: option.disabledSetting }) ? option.disabledCmd : null
      return enabledCmd || disabledCmd ? { ...option, enabledCmd, disabledCmd } : null
    }
    case 'oneOf': {
      const choices = option.choices.filter(has)
      return choices.length > 0 ? { ...option, choices } : null
    }
    case 'string':
      return { ...option, presets: option.presets?.filter(has) }
    case 'number':
      return { ...option, presets: option.presets?.filter(has) }
    default:
      return option
  }
}

const weakest = (found: readonly Evidence[]): Evidence => evidences.findLast((evidence) => found.includes(evidence)) ?? 'unknown'

/**
 * The evidence of one state, or the weakest of all states. The guide is certain for the CR2700 only, a listing covers other readers, and
 * the 1500DPM counts as a CR1500.
 */
export function evidenceFor(option: Option, device: BuilderDevice, value?: SelectionValue): Evidence {
  const settings = listWays(option).filter((way) => value === undefined || way.value === value)
  const ways = settings.map(({ setting }) => setting).filter(({ devices }) => devices?.includes(device) ?? true)
  const isFormatted = option.type === 'string' || option.type === 'number'
  // A value that is no preset is made by the formatter.
  if (ways.length === 0 || (isFormatted && value === undefined)) ways.push({})
  return weakest(ways.map((setting) => findEvidence(setting.evidence ?? option.evidence, setting, device)))
}

// The evidence for CFR: the guide has it for the CR2700, a listing for the others.
export const resetEvidence = (device: BuilderDevice): Evidence => findEvidence('published', {}, device)

function findEvidence(evidence: Evidence, setting: Setting, device: BuilderDevice): Evidence {
  if (evidence === 'unknown' || evidence === 'operator') return evidence
  if (device === '1500DPM' || setting.inferredDevices?.includes(device)) return 'inferred'
  return device === 'CR2700' ? evidence : weakest([evidence, 'secondary'])
}
