import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chosenModels, getPageFirmware, initialWizard, isReady, listPieces, reduceWizard, type WizardAction } from '../wizard-state.ts'
import type { DeviceFirmware } from './choices.ts'
import { type FirmwareAction, findDowngrade, firmwareProblem, reduceFirmware, toFirmwareFile } from './firmware-choice.ts'

const run = (actions: WizardAction[], from = initialWizard) => actions.reduce(reduceWizard, from)
const enable = (enabled = true): WizardAction => ({ type: 'enable', part: 'firmware', device: 'CR2700', enabled })
const act = (action: FirmwareAction): WizardAction => ({ type: 'firmware', device: 'CR2700', action })
const choiceAfter = (...actions: WizardAction[]) => run([enable(), ...actions]).devices.CR2700?.firmware
const file = new File(['firmware'], 'own.crvfw')
const customWithoutFile = { type: 'custom', data: null, fileName: null }

describe('states', () => {
  test('[FRM-04 ENT-30] enabling firmware sets the latest release; disabling clears it', () => {
    expect(choiceAfter()).toEqual({ enabled: true, choice: { type: 'latest' } })
    expect(choiceAfter(act({ type: 'pick', version: '4.9' }), enable(false))).toEqual({ enabled: false, choice: { type: 'none' } })
    expect(choiceAfter(act({ type: 'pick', version: '4.9' }), enable(false), enable())?.choice).toEqual({ type: 'latest' })
  })

  test('[FRM-05 ENT-30] latest becomes versioned once the versions are known', () => {
    expect(choiceAfter(act({ type: 'available', latest: '4.10.0' }))?.choice).toEqual({ type: 'versioned', version: '4.10.0' })
  })

  test('[FRM-05] what somebody has chosen is not changed by versions that become known', () => {
    const available = act({ type: 'available', latest: '5.0' })
    expect(choiceAfter(act({ type: 'pick', version: '4.9' }), available)?.choice).toEqual({ type: 'versioned', version: '4.9' })
    expect(choiceAfter(act({ type: 'file', file }), available)?.choice).toEqual({ type: 'custom', data: file, fileName: 'own.crvfw' })
    expect(run([available]).devices).toEqual({})
  })

  test('without any release, a file of one’s own is what is left', () => {
    expect(choiceAfter(act({ type: 'available', latest: undefined }))?.choice).toEqual(customWithoutFile)
  })

  test('[FRM-06 FRM-07 ENT-30] picking a version is versioned; picking custom, the empty one, is custom without file', () => {
    expect(choiceAfter(act({ type: 'pick', version: '4.9' }))?.choice).toEqual({ type: 'versioned', version: '4.9' })
    expect(choiceAfter(act({ type: 'file', file }), act({ type: 'pick', version: '' }))?.choice).toEqual(customWithoutFile)
  })

  test('[FRM-10 FRM-11 ENT-30] a file sets the custom firmware’s file, the last one counts; clearing returns to custom without file', () => {
    const other = new File(['2'], 'other.crvfw')
    expect(choiceAfter(act({ type: 'file', file }), act({ type: 'file', file: other }))?.choice).toMatchObject({ fileName: 'other.crvfw' })
    expect(choiceAfter(act({ type: 'file', file }), act({ type: 'clear' }))?.choice).toEqual(customWithoutFile)
  })
})

test('[FRM-14] the page of a model without firmware says firmware can’t be null for current page', () => {
  expect(() => getPageFirmware(initialWizard, 'CR2700')).toThrow("firmware can't be null for current page")
  expect(() => getPageFirmware(run([enable(), enable(false)]), 'CR2700')).toThrow("firmware can't be null for current page")
})

test('[WIZ-12] a model is in the firmware summary exactly if it has firmware, whether or not it has config', () => {
  const config: WizardAction = { type: 'enable', part: 'config', device: 'CR1500', enabled: true }
  const state = run([enable(), config])
  expect([chosenModels(state, 'firmware'), chosenModels(state, 'config')]).toEqual([['CR2700'], ['CR1500']])
  expect(listPieces(run([{ ...config, device: 'CR2700' }], state))).toEqual([
    { part: 'config', device: 'CR2700' },
    { part: 'firmware', device: 'CR2700' },
    { part: 'config', device: 'CR1500' },
  ])
  expect(chosenModels(run([enable(false)], state), 'firmware')).toEqual([])
})

test('custom without file and a version that was withdrawn cannot be published', () => {
  expect(firmwareProblem(customWithoutFile as DeviceFirmware)).toBe('Choose a firmware file first.')
  expect(firmwareProblem({ type: 'versioned', version: '4.9' }, ['5.0'])).toBe('Firmware 4.9 was withdrawn. Choose another version.')
  expect(firmwareProblem({ type: 'versioned', version: '4.9' }, ['5.0', '4.9'])).toBeNull()
  expect(firmwareProblem({ type: 'latest' }, ['5.0'])).toBeNull()
  const state = run([enable(), act({ type: 'pick', version: '' })])
  expect(isReady(state, { part: 'firmware', device: 'CR2700' })).toBe(false)
  expect(isReady(run([act({ type: 'file', file })], state), { part: 'firmware', device: 'CR2700' })).toBe(true)
})

test('a version is older than what readers run where any runs a newer one, by its numbers', () => {
  const running = [
    { version: '4.9.8', count: 2 },
    { version: '4.12.0', count: 30 },
    { version: '4.11.3', count: 5 },
  ]
  expect(findDowngrade('4.11.3', running)).toEqual({ from: '4.12.0', readers: 30 })
  expect(findDowngrade('4.9', running)).toEqual({ from: '4.12.0', readers: 37 })
  expect([findDowngrade('4.12.0', running), findDowngrade('4.12', []), findDowngrade('10.0', running)]).toEqual([null, null, null])
})

test('[RIT-09] a release is no downgrade for readers on its candidate, nor is build metadata', () => {
  const running = [
    { version: '9.10.0-rc1', count: 1 },
    { version: 'v9.10.0', count: 2 },
    { version: '9.10.0+build5', count: 3 },
  ]
  expect(findDowngrade('9.10.0', running)).toBeNull()
  expect(findDowngrade('9.10.0-rc1', running)).toEqual({ from: 'v9.10.0', readers: 5 })
  expect(findDowngrade('9.10.0', [{ version: '9.10.0.1', count: 4 }])).toEqual({ from: '9.10.0.1', readers: 4 })
})

test('[PUB-10] another firmware is another publish, the same one is not', () => {
  const sent = run([enable(), act({ type: 'pick', version: '4.9' }), { type: 'sending', keys: { 'firmware CR2700': 'k' }, rollout: 'r' }])
  expect(run([act({ type: 'pick', version: '4.9' })], sent)).toBe(sent)
  expect(run([act({ type: 'pick', version: '5.0' })], sent).attempts).toEqual({})
})

test('the custom file goes out under its name', async () => {
  const sent = toFirmwareFile({ type: 'custom', data: new Blob(['firmware']), fileName: 'own.crvfw' })
  expect([sent?.name, await sent?.text(), sent?.lastModified]).toEqual(['own.crvfw', 'firmware', 0])
  expect(toFirmwareFile({ type: 'custom', data: null, fileName: null })).toBeNull()
  expect(toFirmwareFile({ type: 'custom', data: null, fileName: 'own.crvfw' })).toBeNull()
  expect(toFirmwareFile({ type: 'custom', data: new Blob(['firmware']), fileName: null })).toBeNull()
})

const anyAction: fc.Arbitrary<FirmwareAction> = fc.oneof(
  fc.record({ type: fc.constant('available' as const), latest: fc.constantFrom(undefined, '1.0', '10.0') }),
  fc.record({ type: fc.constant('pick' as const), version: fc.constantFrom('', '1.0', '2.0') }),
  fc.constant({ type: 'file' as const, file }),
  fc.constant({ type: 'clear' as const }),
)

test('[ENT-30] whatever happens, a choice is latest, versioned with a version, or custom; never versioned without one', () => {
  fc.assert(
    fc.property(fc.array(anyAction), (actions) => {
      const choice = actions.reduce(reduceFirmware, { type: 'latest' } as DeviceFirmware)
      if (choice.type === 'versioned') return choice.version !== ''
      if (choice.type === 'custom') return (choice.data === null) === (choice.fileName === null)
      return choice.type === 'latest'
    }),
  )
})
