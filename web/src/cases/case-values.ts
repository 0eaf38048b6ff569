import {
  type CaseDetail,
  type CreateCase,
  caseOrigins,
  casePriorities,
  caseReasons,
  type UpdateCase,
} from '@lectern/contract/cases/cases.ts'
import { deviceModels } from '@lectern/contract/devices/device-models.ts'
import { trimTexts } from '../lib/form/contract-form.ts'

/** The select's value for null. */
const notSet = 'none'
const toNull = (value: string): string | null => (value === notSet ? null : value)

interface Choice {
  value: string
  label: string
}

const toChoices = (values: readonly string[]): Choice[] => values.map((value) => ({ value, label: value }))
export const modelChoices = [{ value: notSet, label: 'No particular reader' }, ...toChoices(deviceModels)]
export const reasonChoices = [{ value: notSet, label: 'Not set' }, ...toChoices(caseReasons)]
export const priorityChoices = toChoices(casePriorities)

export const withCurrent = (choices: readonly Choice[], current: string): readonly Choice[] =>
  choices.some(({ value }) => value === current) ? choices : [{ value: current, label: current }, ...choices]

/** `contactEmail`: for staff only. */
export const newCase = { contactEmail: '', subject: '', description: '', model: notSet, reason: notSet, priority: 'Medium', plan: '' }

export function toCreateInput(values: typeof newCase) {
  const { contactEmail, model, reason, priority, ...texts } = trimTexts(values)
  return {
    ...texts,
    ...(contactEmail !== '' && { contactEmail }),
    model: toNull(model),
    reason: toNull(reason) as CreateCase['reason'],
    priority: priority as CreateCase['priority'],
    origin: caseOrigins[0],
  }
}

export interface EditValues {
  subject: string
  model: string
  reason: string
  priority: string
  plan: string
  status: string
}

export const toEditValues = ({ subject, model__c, reason, priority, action_Plan__c, status }: CaseDetail): EditValues => ({
  subject,
  model: model__c ?? notSet,
  reason: reason ?? notSet,
  priority: priority ?? 'Medium',
  plan: action_Plan__c,
  status,
})

/** Returns only changed fields: an unchanged value of the support desk's own list would be refused. */
export function toChanges(before: EditValues, after: EditValues): Omit<UpdateCase, 'id'> {
  const changed = Object.entries(trimTexts(after)).filter(([name, value]) => value !== before[name as keyof EditValues].trim())
  return Object.fromEntries(changed.map(([name, value]) => [name, toNull(value)]))
}
