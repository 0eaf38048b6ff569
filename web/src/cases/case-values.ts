import { type CaseDetail, type CreateCase, caseOrigins, casePriorities, caseReasons } from '@lectern/contract/cases/cases.ts'
import { deviceModels } from '@lectern/contract/devices/device-models.ts'

/** A case as its forms hold it. */
export interface CaseValues {
  /** Whose it is; said by staff only. */
  contactEmail: string
  subject: string
  description: string
  model: string
  reason: string
  priority: string
  plan: string
}

/** The value of a select for what is not said. */
const unsaid = 'none'
const choices = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

export const modelChoices = [{ value: unsaid, label: 'No particular reader' }, ...choices(deviceModels)]
export const reasonChoices = [{ value: unsaid, label: 'Not set' }, ...choices(caseReasons)]
export const priorityChoices = choices(casePriorities)

/** The choices, with the one that a case has already. */
export const withCurrent = (options: readonly { value: string; label: string }[], current: string) =>
  options.some(({ value }) => value === current) ? options : [{ value: current, label: current }, ...options]

export const newCase: CaseValues = {
  ...{ contactEmail: '', subject: '', description: '', model: unsaid, reason: unsaid, priority: 'Medium', plan: '' },
}

const said = (value: string): string | null => (value === unsaid ? null : value)

/** What the call that opens a case takes. */
export const caseInput = ({ contactEmail, subject, description, model, reason, priority, plan }: CaseValues) => ({
  ...(contactEmail.trim() !== '' && { contactEmail: contactEmail.trim() }),
  subject: subject.trim(),
  description: description.trim(),
  model: said(model),
  reason: said(reason) as CreateCase['reason'],
  priority: priority as CreateCase['priority'],
  plan: plan.trim(),
  origin: caseOrigins[0],
})

/** What can be changed of a case, as its form holds it. */
export type EditValues = Pick<CaseValues, 'subject' | 'model' | 'reason' | 'priority' | 'plan'> & { status: string }

export const editValues = ({ subject, model__c, reason, priority, action_Plan__c, status }: CaseDetail): EditValues => ({
  subject,
  model: model__c ?? unsaid,
  reason: reason ?? unsaid,
  priority: priority ?? 'Medium',
  plan: action_Plan__c,
  status,
})

/** What an edit changes; what is as it was stays away, so that a value of the desk's own is not refused. */
export function diffValues(before: EditValues, after: EditValues) {
  const changed = (name: keyof EditValues) => before[name] !== after[name]
  return {
    ...(changed('subject') && { subject: after.subject.trim() }),
    ...(changed('model') && { model: said(after.model) }),
    ...(changed('reason') && { reason: said(after.reason) as CreateCase['reason'] }),
    ...(changed('priority') && { priority: after.priority as CreateCase['priority'] }),
    ...(changed('plan') && { plan: after.plan.trim() }),
    ...(changed('status') && { status: after.status as CreateCase['status'] }),
  }
}
