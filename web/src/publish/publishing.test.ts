import { type UpdateModel, updateModels } from '@lectern/contract/device-models.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { failures, keysFor, publishAll } from './publishing.ts'
import { type Attempt, initialWizard, type WizardState, wizard } from './wizard.ts'

test('[PUB-01] all models are sent before the first has answered', async () => {
  const sent: UpdateModel[] = []
  const answer = Promise.withResolvers<void>()
  const all = publishAll(
    updateModels,
    (device) => {
      sent.push(device)
      return answer.promise
    },
    () => undefined,
  )
  await Promise.resolve()
  expect(sent).toEqual([...updateModels])
  answer.resolve()
  expect(await all).toBe(true)
})

test('[PUB-02] each is settled on its own, whichever fail, in whatever order they answer', async () => {
  const order = fc.shuffledSubarray([...updateModels], { minLength: updateModels.length })
  await fc.assert(
    fc.asyncProperty(order, fc.subarray([...updateModels]), async (answering, failing) => {
      const answers = new Map(updateModels.map((device) => [device, Promise.withResolvers<void>()]))
      const heard: [UpdateModel, Attempt['outcome']][] = []
      const all = publishAll(
        updateModels,
        (device) => answers.get(device)!.promise,
        (device, outcome) => heard.push([device, outcome]),
      )
      for (const device of answering) {
        const answer = answers.get(device)!
        if (failing.includes(device)) answer.reject(new Error(`${device} refused`))
        else answer.resolve()
      }
      expect(await all).toBe(failing.length === 0)
      expect(heard.length).toBe(updateModels.length)
      expect(Object.fromEntries(heard)).toEqual(
        Object.fromEntries(
          updateModels.map((device) => [
            device,
            failing.includes(device) ? { published: false, message: `${device} refused` } : { published: true },
          ]),
        ),
      )
    }),
    { numRuns: 30 },
  )
})

test('[PUB-07] a failure that is no Error is thrown again, and the others are settled all the same', async () => {
  const heard: UpdateModel[] = []
  const all = publishAll(
    ['CR1100', 'CR2700'],
    (device) => (device === 'CR1100' ? Promise.reject('a text') : Promise.resolve()),
    (device) => heard.push(device),
  )
  await expect(all).rejects.toBe('a text')
  expect(heard).toEqual(['CR2700'])
})

test('[PUB-10] a model keeps its key when it is sent again', () => {
  let number = 0
  const newKey = () => `new-${++number}`
  expect(keysFor(['CR1100', 'CR2700'], { CR2700: { key: 'old', outcome: { published: false, message: '' } } }, newKey)).toEqual({
    CR1100: 'new-1',
    CR2700: 'old',
  })
})

test('[PUB-09] the error under the list names the models that failed and nothing else', () => {
  const actions = (['CR1100', 'CR2700', 'CR1500', 'CR5200'] as const).map(
    (device) => ({ type: 'enableConfig', device, enabled: true }) as const,
  )
  const state: WizardState = {
    ...actions.reduce(wizard, initialWizard),
    attempts: {
      CR1100: { key: '1', outcome: { published: false, message: 'no zone' } },
      CR2700: { key: '2', outcome: { published: true } },
      CR1500: { key: '3' },
      CR5200: { key: '4', outcome: { published: false, message: 'no zone' } },
    },
  }
  expect(failures(state)).toEqual([{ devices: ['CR1100', 'CR5200'], message: 'no zone' }])
})
