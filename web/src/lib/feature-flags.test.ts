// @vitest-environment jsdom
import { afterEach, describe, expect, test, vi } from 'vitest'
import { flagsKey, readFeatureFlags } from './feature-flags.ts'

afterEach(() => localStorage.clear())

const off = { showConfigurationLibrary: false, showActivityStream: false, showDeviceAnalytics: false, showAuditLog: false }

test('[FLG-01] the four flags are off by default', () => {
  expect(readFeatureFlags('', '')).toEqual(off)
})

test('[FLG-02] flags come from the build, from the server, and from the list stored locally, which wins', () => {
  expect(readFeatureFlags('showAuditLog', 'showActivityStream')).toEqual({ ...off, showAuditLog: true, showActivityStream: true })
  localStorage.setItem(flagsKey, 'showAuditLog=off;showDeviceAnalytics')
  expect(readFeatureFlags('showAuditLog', 'showActivityStream')).toEqual({ ...off, showActivityStream: true, showDeviceAnalytics: true })
})

test('[FLG-03] entries are separated by semicolons, each a name or name=value', () => {
  expect(readFeatureFlags('showAuditLog; showActivityStream=on;;showDeviceAnalytics=no', '')).toEqual({
    ...off,
    showAuditLog: true,
    showActivityStream: true,
  })
})

describe('[FLG-04] values', () => {
  test.each(['yes', 'true', '1', 'on'])('%s switches on', (value) => {
    expect(readFeatureFlags(`showAuditLog=${value}`, '').showAuditLog).toBe(true)
  })
  test.each(['no', 'false', '0', 'off'])('%s switches off', (value) => {
    expect(readFeatureFlags('showAuditLog', `showAuditLog=${value}`).showAuditLog).toBe(false)
  })
})

test('[FLG-05] an unknown name is ignored with a console warning', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  expect(readFeatureFlags('showEverything;showAuditLog', '')).toEqual({ ...off, showAuditLog: true })
  expect(warn).toHaveBeenCalledExactlyOnceWith('Unknown feature flag "showEverything"')
  warn.mockRestore()
})

test('[FLG-06] any other value throws', () => {
  localStorage.setItem(flagsKey, 'showAuditLog=maybe')
  expect(() => readFeatureFlags('', '')).toThrow('Invalid value for feature flag')
})
