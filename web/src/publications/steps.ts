import { type UpdateModel, updateModel, updateModels } from '@lectern/contract/devices/device-models.ts'
import type { PartName } from './content/choices.ts'
import { hasPiece, type WizardState } from './wizard-state.ts'

/**
 * A step of a wizard: the first, one per model, and the last. `aside`: the firmware of a model whose configuration is reviewed; it is not
 * in the row of steps.
 */
export type WizardStep = { id: 'select' } | { id: 'device'; device: UpdateModel } | { id: 'review' } | { id: 'aside'; device: UpdateModel }

const range: readonly WizardStep[] = [
  { id: 'select' },
  ...updateModels.map((device): WizardStep => ({ id: 'device', device })),
  { id: 'review' },
]

const asideName = /^(.*) firmware$/

/** Returns the step's name in the address: `CR2700`, `review`, `CR2700 firmware`; null for the first step. */
export function getStepName(step: WizardStep): string | null {
  if (step.id === 'select') return null
  if (step.id === 'review') return 'review'
  return step.id === 'device' ? step.device : `${step.device} firmware`
}

/**
 * Returns the step of a name in the address.
 * @throws "Invalid device: {device name}" where the name is neither a step nor an update model (spec §5)
 */
export function parseStep(name: string | null): WizardStep {
  if (name === null) return { id: 'select' }
  if (name === 'review') return { id: 'review' }
  const aside = asideName.exec(name)?.[1]
  return aside === undefined ? { id: 'device', device: updateModel(name) } : { id: 'aside', device: updateModel(aside) }
}

const isShown = (state: WizardState, part: PartName, step: WizardStep): boolean =>
  step.id !== 'device' || hasPiece(state, { part, device: step.device })

const findPlace = (step: WizardStep): number => range.findIndex((other) => getStepName(other) === getStepName(step))

/**
 * Returns the next step that is shown.
 * @throws "Step out of bounds" after the last (spec §4)
 */
export const nextStep = (state: WizardState, part: PartName, step: WizardStep): WizardStep =>
  step.id === 'aside' ? { id: 'review' } : findShown(range.slice(findPlace(step) + 1), state, part)

/**
 * Returns the previous step that is shown.
 * @throws "Step out of bounds" before the first (spec §4)
 */
export const previousStep = (state: WizardState, part: PartName, step: WizardStep): WizardStep =>
  step.id === 'aside' ? { id: 'review' } : findShown(range.slice(0, findPlace(step)).reverse(), state, part)

function findShown(steps: readonly WizardStep[], state: WizardState, part: PartName): WizardStep {
  const step = steps.find((each) => isShown(state, part, each))
  if (!step) throw new Error('Step out of bounds')
  return step
}
