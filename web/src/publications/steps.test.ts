import { updateModels } from '@lectern/contract/devices/device-models.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getStepName, nextStep, parseStep, previousStep, type WizardStep } from './steps.ts'
import { initialWizard, reduceWizard, type WizardState } from './wizard-state.ts'

const ticked = (models: readonly (typeof updateModels)[number][]): WizardState =>
  models.map((device) => ({ type: 'enable', part: 'config', device, enabled: true }) as const).reduce(reduceWizard, initialWizard)

const select: WizardStep = { id: 'select' }

function walk(state: WizardState, from: WizardStep, move: typeof nextStep): (string | null)[] {
  const names = [getStepName(from)]
  for (let step = from; names.length <= updateModels.length + 2; ) {
    try {
      step = move(state, 'config', step)
    } catch (error) {
      expect(error).toEqual(new Error('Step out of bounds'))
      return names
    }
    names.push(getStepName(step))
  }
  throw new Error(`There is no end to it: ${names}`)
}

test('[WIZ-01 WIZ-02 CFG-04] nextStep shows one page per ticked model, then the review; previousStep the same in reverse; beyond is out of bounds', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...updateModels]), (models) => {
      const state = ticked(models)
      const pages = updateModels.filter((model) => models.includes(model))
      const names = [null, ...pages, 'review']
      expect(walk(state, select, nextStep)).toEqual(names)
      expect(walk(state, { id: 'review' }, previousStep)).toEqual(names.toReversed())
    }),
  )
})

test('[WIZ-01] from a model that is ticked no longer the way leads on to the next screen', () => {
  expect(nextStep(ticked(['CR1500']), 'config', { id: 'device', device: 'CR1100' })).toEqual({ id: 'device', device: 'CR1500' })
  expect(previousStep(ticked(['CR1500']), 'config', { id: 'device', device: 'CR1100' })).toEqual(select)
})

test('a step is found by its name', () => {
  for (const model of updateModels) expect(parseStep(model)).toEqual({ id: 'device', device: model })
  expect(parseStep(null)).toEqual(select)
  expect(parseStep('review')).toEqual({ id: 'review' })
})

test('the firmware of a model stands beside the review, which it leads back to either way', () => {
  const aside: WizardStep = { id: 'aside', device: 'A271/2' }
  expect(parseStep(getStepName(aside))).toEqual(aside)
  expect([nextStep, previousStep].map((move) => move(ticked(['A271/2']), 'config', aside))).toEqual([{ id: 'review' }, { id: 'review' }])
})

test('each reduceWizard has a page for the models of its own part', () => {
  const state = reduceWizard(ticked(['CR1500']), { type: 'enable', part: 'firmware', device: 'V1300', enabled: true })
  expect(nextStep(state, 'firmware', select)).toEqual({ id: 'device', device: 'V1300' })
  expect(nextStep(state, 'config', select)).toEqual({ id: 'device', device: 'CR1500' })
})

test.each(['CR8200', 'cr2700', '', 'A271', 'toString', 'CR8200 firmware'])('[WIZ-05] any other name is an invalid device: %j', (name) => {
  expect(() => parseStep(name)).toThrow(`Invalid device: ${name.replace(' firmware', '')}`)
})

test.each(['CR2700 firmware 2', '\nCR2700 firmware'])('[WIZ-05] the firmware of a model has one name: %j is an invalid device', (name) => {
  expect(() => parseStep(name)).toThrow(`Invalid device: ${name}`)
})
