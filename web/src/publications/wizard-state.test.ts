import { type UpdateModel, updateModels } from '@lectern/contract/devices/device-models.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { configProblem, type Piece } from './content/choices.ts'
import {
  chosenModels,
  getPageConfig,
  getZone,
  hasPiece,
  hasWork,
  initialWizard,
  isReady,
  isTimeMissing,
  listUnpublished,
  reduceWizard,
  type WizardAction,
  type WizardState,
} from './wizard-state.ts'

const run = (actions: WizardAction[], from: WizardState = initialWizard) => actions.reduce(reduceWizard, from)
const zone = { id: 'zone-1', name: 'ICU 3 North' }
const enable = (device: UpdateModel, enabled = true): WizardAction => ({ type: 'enable', part: 'config', device, enabled })
const of = (device: UpdateModel): Piece => ({ part: 'config', device })
const cfg = (device: UpdateModel, text: string): WizardAction[] => [
  { type: 'edit', device, config: { type: 'cfg', text } },
  { type: 'saveConfig', device },
]
const ready = run([
  { type: 'zone', zone },
  enable('CR2700'),
  enable('A271/2'),
  ...cfg('CR2700', '<cfg>1</cfg>'),
  ...cfg('A271/2', '<cfg>2</cfg>'),
])

describe('state', () => {
  test('[ENT-28] begins without zone and devices, at 02:00', () => {
    expect(initialWizard).toMatchObject({ devices: {}, configZone: null, when: 'at', updateTime: '02:00' })
  })

  test('[ENT-28 ENT-29] keeps config by model with an enabled flag; a new one is an empty CFG, a new file has no name', () => {
    const enabled = run([enable('V1300')])
    expect(enabled.devices).toEqual({ V1300: { config: { enabled: true, choice: { type: 'cfg', text: '' } } } })
    const file = run(
      [
        { type: 'configType', device: 'V1300', configType: 'file' },
        { type: 'saveConfig', device: 'V1300' },
      ],
      enabled,
    )
    expect(file.devices.V1300?.config).toEqual({ enabled: true, choice: { type: 'file', data: null, fileName: null } })
    expect(run([enable('V1300', false)], file).devices.V1300?.config).toEqual({ enabled: false, choice: { type: 'none' } })
  })

  test('[CFG-05] enabling config sets an empty CFG; disabling clears it, so that enabling again starts anew', () => {
    const off = run([enable('CR2700', false)], ready)
    expect(hasPiece(off, of('CR2700'))).toBe(false)
    expect(getPageConfig(run([enable('CR2700')], off), 'CR2700')).toEqual({ type: 'cfg', text: '' })
  })

  test('[WIZ-11] a model that is enabled without a choice has neither config nor firmware', () => {
    const none = { enabled: true, choice: { type: 'none' } } as const
    const state: WizardState = { ...initialWizard, devices: { CR2700: { config: none, firmware: none } } }
    expect([chosenModels(state, 'config'), chosenModels(state, 'firmware')]).toEqual([[], []])
    expect(() => getPageConfig(state, 'CR2700')).toThrow("config can't be null for current page")
  })

  test('[CFG-05] ticking what is ticked already loses nothing', () => {
    expect(run([enable('CR2700')], ready)).toBe(ready)
  })

  test('[CFG-05] what was typed goes with the config, not with the firmware', () => {
    const typed = run([{ type: 'edit', device: 'CR2700', config: { type: 'cfg', text: '<cfg>new</cfg>' } }], ready)
    const firmware = (enabled: boolean): WizardAction => ({ type: 'enable', part: 'firmware', device: 'CR2700', enabled })
    expect(run([firmware(true)], typed).edits).toEqual(typed.edits)
    expect(run([firmware(true), firmware(false)], typed).edits).toEqual(typed.edits)
    expect(run([enable('CR2700', false)], typed).edits).toEqual({})
  })

  test('[CFG-07] switching the type resets the choice to empty, back and forth', () => {
    const file = run([{ type: 'configType', device: 'CR2700', configType: 'file' }], ready)
    expect(getPageConfig(file, 'CR2700')).toEqual({ type: 'file', data: null, fileName: null })
    const again = run([{ type: 'configType', device: 'CR2700', configType: 'cfg' }], file)
    expect(getPageConfig(again, 'CR2700')).toEqual({ type: 'cfg', text: '' })
  })

  test('[CFG-17] only Next saves what stands on the page', () => {
    const typed = run([{ type: 'edit', device: 'CR2700', config: { type: 'cfg', text: '<cfg>new</cfg>' } }], ready)
    expect(typed.devices.CR2700?.config?.choice).toEqual({ type: 'cfg', text: '<cfg>1</cfg>' })
    expect(isReady(typed, of('CR2700'))).toBe(false)
    const saved = run([{ type: 'saveConfig', device: 'CR2700' }], typed)
    expect(saved.devices.CR2700?.config?.choice).toEqual({ type: 'cfg', text: '<cfg>new</cfg>' })
    expect(isReady(saved, of('CR2700'))).toBe(true)
  })

  test("[CFG-18] a page without config says config can't be null for current page", () => {
    expect(() => getPageConfig(initialWizard, 'CR2700')).toThrow("config can't be null for current page")
    expect(() => getPageConfig(run([enable('CR2700'), enable('CR2700', false)]), 'CR2700')).toThrow("config can't be null for current page")
  })

  test('[WIZ-06] a summary without a zone says no location', () => {
    expect(() => getZone(initialWizard)).toThrow(/^no location$/)
    expect(getZone(ready)).toEqual(zone)
    expect(run([{ type: 'zone', zone: null }], ready).configZone).toBeNull()
  })

  test('[WIZ-11] a model is in the config summary exactly if it has config, in the order of the grid', () => {
    const models = fc.shuffledSubarray([...updateModels])
    fc.assert(
      fc.property(models, models, (on, off) => {
        const state = run([...on.map((device) => enable(device)), ...off.map((device) => enable(device, false))])
        expect(chosenModels(state, 'config')).toEqual(updateModels.filter((device) => on.includes(device) && !off.includes(device)))
      }),
    )
  })
})

test('what is not closed, has no text or no file cannot be published', () => {
  expect(configProblem({ type: 'cfg', text: '<cfg>' })).toContain('</cfg>')
  expect(configProblem({ type: 'cfg', text: '' })).toContain('empty')
  expect(configProblem({ type: 'file', data: null, fileName: null })).toBe('Choose a .js file first.')
  expect(configProblem({ type: 'cfg', text: '<cfg></cfg>' })).toBeNull()
  expect(configProblem({ type: 'file', data: 'data:,', fileName: 'a.js', verdict: 'ready' })).toBeNull()
  expect(isReady(run([enable('V1300')]), of('V1300'))).toBe(false)
  expect(isReady(initialWizard, of('V1300'))).toBe(false)
  expect(isReady(initialWizard, { part: 'firmware', device: 'V1300' })).toBe(false)
})

test('the update time is missing where it counts', () => {
  const isMissing = (when: 'now' | 'at', updateTime: string) => isTimeMissing({ ...initialWizard, when, updateTime })
  expect([isMissing('at', ''), isMissing('at', '02:00'), isMissing('now', ''), isMissing('now', '02:00')]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

describe('attempts', () => {
  const sent = run([{ type: 'sending', keys: { 'config CR2700': 'k1', 'config A271/2': 'k2' }, rollout: 'r1' }], ready)
  const half = run(
    [
      { type: 'answered', piece: of('CR2700'), outcome: { published: true } },
      { type: 'answered', piece: of('A271/2'), outcome: { published: false, message: 'no' } },
    ],
    sent,
  )

  test('[PUB-10] what was published is not sent again; what failed or is unknown is', () => {
    expect(listUnpublished(sent)).toEqual([of('CR2700'), of('A271/2')])
    expect(listUnpublished(half)).toEqual([of('A271/2')])
    expect(half.attempts['config A271/2']).toEqual({ key: 'k2', outcome: { published: false, message: 'no' } })
  })

  test('[PUB-10] saving the same choice again keeps its key, another choice forgets it', () => {
    const same = run(cfg('CR2700', '<cfg>1</cfg>'), half)
    expect(same.attempts).toEqual(half.attempts)
    const other = run(cfg('CR2700', '<cfg>other</cfg>'), half)
    expect(other.attempts).toEqual({ 'config A271/2': half.attempts['config A271/2'] })
    expect(listUnpublished(other)).toEqual([of('CR2700'), of('A271/2')])
  })

  test('[PUB-10] another zone or update time is another publish for all', () => {
    expect(half.rollout).toBe('r1')
    expect(run([{ type: 'zone', zone: { id: 'zone-2', name: 'ED' } }], half)).toMatchObject({ attempts: {}, rollout: null })
    expect(run([{ type: 'updateTime', updateTime: '03:00' }], half)).toMatchObject({ attempts: {}, rollout: null })
    expect(
      run(
        [
          { type: 'zone', zone },
          { type: 'updateTime', updateTime: '02:00' },
        ],
        half,
      ),
    ).toBe(half)
  })

  test('[PUB-10] publishing now is another publish for all, and keeps the update time', () => {
    const now = run([{ type: 'when', when: 'now' }], half)
    expect(now).toEqual({ ...half, when: 'now', attempts: {}, rollout: null })
    expect(run([{ type: 'when', when: 'now' }], now)).toBe(now)
    expect(run([{ type: 'planned', at: 5 }], half)).toEqual({ ...half, plannedAt: 5 })
  })

  test('[NOW-05] publishing outside a window sends anew what was refused; another time or zone asks again', () => {
    const outside = run([{ type: 'outsideWindow' }], half)
    expect(outside).toMatchObject({ outsideWindow: true, rollout: half.rollout })
    expect(Object.values(outside.attempts).every(({ outcome }) => outcome?.published)).toBe(true)
    expect(run([{ type: 'outsideWindow' }], outside)).toBe(outside)
    expect(run([{ type: 'when', when: 'now' }], outside).outsideWindow).toBe(false)
    expect(run([{ type: 'zone', zone: { id: 'other', name: 'Other' } }], outside).outsideWindow).toBe(false)
  })

  test('[PUB-10] what is ticked no longer is forgotten, the rest is not', () => {
    expect(run([enable('CR2700', false)], half).attempts).toEqual({ 'config A271/2': half.attempts['config A271/2'] })
  })

  test('an answer to what was changed meanwhile is forgotten', () => {
    const changed = run(cfg('CR2700', '<cfg>other</cfg>'), sent)
    expect(
      run([{ type: 'answered', piece: of('CR2700'), outcome: { published: true } }], changed).attempts['config CR2700'],
    ).toBeUndefined()
  })

  test('leaving loses work while a ticked model is not published', () => {
    expect(hasWork(initialWizard)).toBe(false)
    expect(hasWork(run([{ type: 'zone', zone }]))).toBe(false)
    expect(hasWork(half)).toBe(true)
    const done = run([{ type: 'answered', piece: of('A271/2'), outcome: { published: true } }], half)
    expect(hasWork(done)).toBe(false)
    expect(hasWork(run([{ type: 'configType', device: 'CR2700', configType: 'file' }], done))).toBe(true)
  })
})
