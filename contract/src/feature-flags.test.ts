import { expect, test } from 'vitest'
import { featureFlags, parseFeatureFlags, withoutFlag } from './feature-flags.ts'

const refuseWarnings = (message: string) => expect.unreachable(message)
const on = (...lists: string[]) =>
  Object.entries(parseFeatureFlags(lists, refuseWarnings))
    .filter(([, value]) => value)
    .map(([name]) => name)

test('[FLG-01] there are four flags, all off', () => {
  expect(parseFeatureFlags([], refuseWarnings)).toEqual({
    showConfigurationLibrary: false,
    showActivityStream: false,
    showDeviceAnalytics: false,
    showAuditLog: false,
  })
})

test('a later list wins over an earlier one, flag by flag', () => {
  expect(on('showAuditLog;showActivityStream', 'showAuditLog=off;showDeviceAnalytics')).toEqual([
    'showActivityStream',
    'showDeviceAnalytics',
  ])
  expect(on('showAuditLog=off;showAuditLog')).toEqual(['showAuditLog'])
})

test('[FLG-03] entries stand between semicolons, as a name or name=value, with blanks where one likes', () => {
  expect(on('showAuditLog')).toEqual(['showAuditLog'])
  expect(on(' showAuditLog = on ;; showActivityStream=1; ')).toEqual(['showActivityStream', 'showAuditLog'])
  expect(on('', ';')).toEqual([])
  expect(on(featureFlags.join(';'))).toEqual([...featureFlags])
})

test.for(['yes', 'true', '1', 'on', 'YES', 'On'])('[FLG-04] %s switches on', (value) => {
  expect(on(`showAuditLog=${value}`)).toEqual(['showAuditLog'])
})

test.for(['no', 'false', '0', 'off', 'NO', 'False'])('[FLG-04] %s switches off', (value) => {
  expect(on('showAuditLog', `showAuditLog=${value}`)).toEqual([])
})

test('an unknown name is ignored, with a warning that names it', () => {
  const warnings: string[] = []
  const flags = parseFeatureFlags(['showMagic;constructor=perhaps;showauditlog;showAuditLog'], (message) => warnings.push(message))
  expect(warnings).toEqual([
    'Unknown feature flag "showMagic"',
    'Unknown feature flag "constructor"',
    'Unknown feature flag "showauditlog"',
  ])
  expect(flags).toEqual({ showConfigurationLibrary: false, showActivityStream: false, showDeviceAnalytics: false, showAuditLog: true })
})

test.for(['', '2', 'perhaps', 'constructor', '__proto__', 'toString', 'on=off', 'true false'])(
  '[FLG-06] the value %j is refused',
  (value) => {
    expect(() => parseFeatureFlags([`showAuditLog=${value}`], refuseWarnings)).toThrow('Invalid value for feature flag')
  },
)

test('of a list only the refused entries are taken out, however they are written', () => {
  const list = 'showAuditLog=perhaps;showAuditLog=on; showAuditLog = perhaps ;showActivityStream=perhaps;showAuditLog'
  expect(withoutFlag(list, { flag: 'showAuditLog', value: 'perhaps' })).toBe('showAuditLog=on;showActivityStream=perhaps;showAuditLog')
})
