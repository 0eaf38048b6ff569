import { updateModels } from '@lectern/contract/device-models.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backward, forward, namedStep, stepName, type WizardStep } from './steps.ts'
import { initialWizard, type WizardState, wizard } from './wizard.ts'

const ticked = (models: readonly (typeof updateModels)[number][]): WizardState =>
  models.map((device) => ({ type: 'enableConfig', device, enabled: true }) as const).reduce(wizard, initialWizard)

const select: WizardStep = { id: 'select' }

function walk(state: WizardState, from: WizardStep, move: typeof forward): (string | null)[] {
  const names = [stepName(from)]
  for (let step = from; ; ) {
    try {
      step = move(state, step)
    } catch (error) {
      expect(error).toEqual(new Error('Step out of bounds'))
      return names
    }
    names.push(stepName(step))
  }
}

test('[WIZ-01 WIZ-02 CFG-04] forward shows one page per ticked model, then the review; backward the same in reverse; beyond is out of bounds', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...updateModels]), (models) => {
      const state = ticked(models)
      const pages = updateModels.filter((model) => models.includes(model))
      const names = [null, ...pages, 'review']
      expect(walk(state, select, forward)).toEqual(names)
      expect(walk(state, { id: 'review' }, backward)).toEqual(names.toReversed())
    }),
  )
})

test('[WIZ-01] from a model that is ticked no longer the way leads on to the next screen', () => {
  expect(forward(ticked(['CR1500']), { id: 'device', device: 'CR1100' })).toEqual({ id: 'device', device: 'CR1500' })
  expect(backward(ticked(['CR1500']), { id: 'device', device: 'CR1100' })).toEqual(select)
})

test('a step is found by its name', () => {
  for (const model of updateModels) expect(namedStep(model)).toEqual({ id: 'device', device: model })
  expect(namedStep(null)).toEqual(select)
  expect(namedStep('review')).toEqual({ id: 'review' })
})

test.each(['CR8200', 'cr2700', '', 'A271', 'toString'])('[WIZ-05] any other name is an invalid device: %j', (name) => {
  expect(() => namedStep(name)).toThrow(`Invalid device: ${name}`)
})
