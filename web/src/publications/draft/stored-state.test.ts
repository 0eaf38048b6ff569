import { expect, test } from 'vitest'
import { initialWizard, reduceWizard, type WizardAction } from '../wizard-state.ts'
import { fromStored, listFiles, toStored } from './stored-state.ts'

const file = new File(['firmware'], 'own.crvfw')
const chosenState = (
  [
    { type: 'enable', part: 'firmware', device: 'CR2700', enabled: true },
    { type: 'enable', part: 'firmware', device: 'V1300', enabled: true },
    { type: 'enable', part: 'config', device: 'CR2700', enabled: true },
    { type: 'firmware', device: 'CR2700', action: { type: 'file', file } },
    { type: 'enable', part: 'config', device: 'CR1500', enabled: true },
    { type: 'enable', part: 'firmware', device: 'CR1100', enabled: true },
    { type: 'firmware', device: 'CR1100', action: { type: 'clear' } },
  ] satisfies WizardAction[]
).reduce(reduceWizard, initialWizard)

test('a firmware file is stored beside the state, under the same id each time, and is restored', () => {
  const { stored, files } = toStored(chosenState)
  expect([...files.values()]).toEqual([file])
  expect(stored.devices.CR2700?.firmware?.choice).toEqual({ type: 'custom', data: null, fileName: 'own.crvfw' })
  expect(listFiles(stored)).toEqual([...files.keys()])
  const again = toStored(reduceWizard(chosenState, { type: 'updateTime', updateTime: '05:00' }))
  expect([...again.files.keys()]).toEqual([...files.keys()])

  const read = new Blob(['firmware'])
  const restored = fromStored(stored, () => read)
  expect(restored).toEqual({
    ...chosenState,
    devices: {
      ...chosenState.devices,
      CR2700: { ...chosenState.devices.CR2700, firmware: { enabled: true, choice: { type: 'custom', data: read, fileName: 'own.crvfw' } } },
    },
  })
  expect([...toStored(restored).files.keys()]).toEqual([...files.keys()])
})

test('a file that is missing is read as not chosen', () => {
  const restored = fromStored(toStored(chosenState).stored, () => undefined)
  expect(restored.devices.CR2700?.firmware?.choice).toEqual({ type: 'custom', data: null, fileName: null })
})
