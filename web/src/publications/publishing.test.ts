import { type UpdateModel, updateModels } from '@lectern/contract/devices/device-models.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Piece, pieceName } from './content/choices.ts'
import { failures, planSending, publishAll } from './publishing.ts'
import { type Attempt, initialWizard, reduceWizard, type WizardState } from './wizard-state.ts'

const of = (device: UpdateModel): Piece => ({ part: 'config', device })
const all: Piece[] = updateModels.flatMap((device) => [of(device), { part: 'firmware', device }])

test('[PUB-01] all models are sent before the first has answered', async () => {
  const sent: Piece[] = []
  const answer = Promise.withResolvers<void>()
  const done = publishAll(
    all,
    (piece) => {
      sent.push(piece)
      return answer.promise
    },
    () => undefined,
  )
  await Promise.resolve()
  expect(sent).toEqual(all)
  answer.resolve()
  expect(await done).toBe(true)
})

test('[PUB-02 FRM-17] each has an outcome of its own, whichever fail, in whatever order they answer', async () => {
  const order = fc.shuffledSubarray(all, { minLength: all.length })
  await fc.assert(
    fc.asyncProperty(order, fc.subarray(all), async (answering, failing) => {
      const answers = new Map(all.map((piece) => [piece, Promise.withResolvers<void>()]))
      const heard: [string, Attempt['outcome']][] = []
      const done = publishAll(
        all,
        (piece) => answers.get(piece)!.promise,
        (piece, outcome) => heard.push([pieceName(piece), outcome]),
      )
      for (const piece of answering) {
        const answer = answers.get(piece)!
        if (failing.includes(piece)) answer.reject(new Error(`${pieceName(piece)} refused`))
        else answer.resolve()
      }
      expect(await done).toBe(failing.length === 0)
      expect(heard.length).toBe(all.length)
      expect(Object.fromEntries(heard)).toEqual(
        Object.fromEntries(
          all.map((piece) => [
            pieceName(piece),
            failing.includes(piece) ? { published: false, message: `${pieceName(piece)} refused` } : { published: true },
          ]),
        ),
      )
    }),
    { numRuns: 30 },
  )
})

test('[PUB-07] a failure that is no Error is thrown again, and the others have outcomes all the same', async () => {
  const heard: Piece[] = []
  const done = publishAll(
    [of('CR1100'), of('CR2700')],
    ({ device }) => (device === 'CR1100' ? Promise.reject('a text') : Promise.resolve()),
    (piece) => heard.push(piece),
  )
  await expect(done).rejects.toBe('a text')
  expect(heard).toEqual([of('CR2700')])
})

const ticked = (['CR1100', 'CR2700'] as const)
  .map((device) => ({ type: 'enable', part: 'config', device, enabled: true }) as const)
  .reduce(reduceWizard, initialWizard)
const inZone = { ...ticked, configZone: { id: 'a', name: 'A' } }
const zones = [
  { id: 'a', name: 'A' },
  { id: 'b', name: 'B' },
]
const inZones = { ...ticked, configZone: { id: 'a', name: '2 zones', many: { zones } } }
const failed = { published: false, message: '' } as const

function newIds() {
  let number = 0
  return () => `new-${++number}`
}

test('[PUB-10] a model keeps its key and the rollout when it is sent again', () => {
  const state: WizardState = { ...inZone, rollout: 'r', attempts: { 'config CR2700': { key: 'old', outcome: failed } } }
  expect(planSending(state, state, [of('CR1100'), of('CR2700')], newIds())).toEqual({
    chosen: [of('CR1100'), of('CR2700')],
    isAll: true,
    rollout: 'r',
    keys: { 'config CR1100': 'new-1', 'config CR2700': 'old' },
  })
  const one = planSending(inZone, inZone, [of('CR1100')], newIds())
  expect(one).toEqual({ chosen: [of('CR1100')], isAll: false, rollout: 'new-1', keys: { 'config CR1100': 'new-2' } })
})

test('[PUB-10] where a change drops what was sent, all of it is sent, as a new rollout', () => {
  const before: WizardState = { ...inZone, rollout: 'r', attempts: { 'config CR2700': { key: 'old', outcome: { published: true } } } }
  const state = reduceWizard(before, { type: 'updateTime', updateTime: '05:00' })
  expect(planSending(before, state, [of('CR1100')], newIds())).toEqual({
    chosen: [of('CR1100'), of('CR2700')],
    isAll: true,
    rollout: 'new-1',
    keys: { 'config CR1100': 'new-2', 'config CR2700': 'new-3' },
  })
})

test('[MNY-01] several zones get all pieces by one key, which stays while the same pieces are sent again', () => {
  const first = planSending(inZones, inZones, [of('CR1100')], newIds())
  const keys = { 'config CR1100': 'new-1', 'config CR2700': 'new-1' }
  expect(first).toEqual({ chosen: [of('CR1100'), of('CR2700')], isAll: true, rollout: 'new-1', keys })
  const sent = reduceWizard(inZones, { type: 'sending', keys, rollout: 'new-1' })
  expect(planSending(sent, sent, [of('CR1100')], () => 'other')).toEqual(first)
  const another = reduceWizard(sent, { type: 'enable', part: 'config', device: 'V1300', enabled: true })
  expect(planSending(another, another, [of('CR1100')], () => 'other').rollout).toBe('other')
})

test('[PUB-09] the error under the list names the models that failed and nothing else', () => {
  const actions = (['CR1100', 'CR2700', 'CR1500', 'CR5200', 'V1300'] as const).map(
    (device) => ({ type: 'enable', part: 'config', device, enabled: true }) as const,
  )
  const state: WizardState = {
    ...actions.reduce(reduceWizard, initialWizard),
    attempts: {
      'config CR1100': { key: '1', outcome: { published: false, message: 'no zone' } },
      'config CR2700': { key: '2', outcome: { published: true } },
      'config CR1500': { key: '3' },
      'config CR5200': { key: '4', outcome: { published: false, message: 'no zone' } },
    },
  }
  expect(failures(state)).toEqual([{ pieces: [of('CR1100'), of('CR5200')], message: 'no zone' }])
})
