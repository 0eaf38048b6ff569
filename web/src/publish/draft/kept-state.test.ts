import { expect, test } from 'vitest'
import { initialWizard, type WizardAction, wizard } from '../wizard.ts'
import { keptFiles, keptState, restoredState } from './kept-state.ts'

const file = new File(['firmware'], 'own.crvfw')
const chosen = (
  [
    { type: 'enable', part: 'firmware', device: 'CR2700', enabled: true },
    { type: 'enable', part: 'firmware', device: 'V1300', enabled: true },
    { type: 'enable', part: 'config', device: 'CR2700', enabled: true },
    { type: 'firmware', device: 'CR2700', action: { type: 'file', file } },
  ] satisfies WizardAction[]
).reduce(wizard, initialWizard)

test('a firmware file stands beside the state that is kept, under the same id each time, and is found again', () => {
  const { kept, files } = keptState(chosen)
  expect([...files.values()]).toEqual([file])
  expect(kept.devices.CR2700?.firmware?.choice).toEqual({ type: 'custom', data: null, fileName: 'own.crvfw' })
  expect(keptFiles(kept)).toEqual([...files.keys()])
  const again = keptState(wizard(chosen, { type: 'updateTime', updateTime: '05:00' }))
  expect([...again.files.keys()]).toEqual([...files.keys()])

  const read = new Blob(['firmware'])
  const restored = restoredState(kept, () => read)
  expect(restored).toEqual({
    ...chosen,
    devices: {
      ...chosen.devices,
      CR2700: { ...chosen.devices.CR2700, firmware: { enabled: true, choice: { type: 'custom', data: read, fileName: 'own.crvfw' } } },
    },
  })
  expect([...keptState(restored).files.keys()]).toEqual([...files.keys()])
})

test('a file that is gone is as if none had been chosen', () => {
  const restored = restoredState(keptState(chosen).kept, () => undefined)
  expect(restored.devices.CR2700?.firmware?.choice).toEqual({ type: 'custom', data: null, fileName: null })
})
