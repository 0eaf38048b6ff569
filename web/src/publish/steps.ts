import { type UpdateModel, updateModel, updateModels } from '@lectern/contract/device-models.ts'
import { hasConfig, type WizardState } from './wizard.ts'

/** A step of the wizard: the two at its ends, and one for each model it could configure. */
export type WizardStep = { id: 'select' } | { id: 'device'; device: UpdateModel } | { id: 'review' }

const range: readonly WizardStep[] = [
  { id: 'select' },
  ...updateModels.map((device): WizardStep => ({ id: 'device', device })),
  { id: 'review' },
]

/** How a step is called in the address: `CR2700`, `review`; the first one has no name. */
export const stepName = (step: WizardStep): string | null => (step.id === 'select' ? null : step.id === 'device' ? step.device : 'review')

/** The step of that name. Throws "Invalid device: {device name}" for a name that is neither a step nor an update model (spec §5). */
export function namedStep(name: string | null): WizardStep {
  if (name === null) return { id: 'select' }
  return name === 'review' ? { id: 'review' } : { id: 'device', device: updateModel(name) }
}

/** A model's step has a screen while the model is ticked; the others always have one. */
const hasScreen = (state: WizardState, step: WizardStep): boolean => step.id !== 'device' || hasConfig(state, step.device)

const place = (step: WizardStep): number => range.findIndex((other) => stepName(other) === stepName(step))

/** The next step that has a screen. Throws "Step out of bounds" after the last (spec §4). */
export const forward = (state: WizardState, step: WizardStep): WizardStep => within(range.slice(place(step) + 1), state)

/** The previous step that has a screen. Throws "Step out of bounds" before the first (spec §4). */
export const backward = (state: WizardState, step: WizardStep): WizardStep => within(range.slice(0, place(step)).reverse(), state)

function within(steps: readonly WizardStep[], state: WizardState): WizardStep {
  const step = steps.find((each) => hasScreen(state, each))
  if (!step) throw new Error('Step out of bounds')
  return step
}
