import { expect, test } from 'vitest'
import { builtInCatalogue as catalogue } from '../barcode/built-in-catalogue.ts'
import { payloadProblem } from '../barcode/configuration-payload.ts'
import { barcodeSettings } from './barcode-settings.ts'

const listSettings = (device: 'CR2700' | 'CR950') => barcodeSettings(catalogue, device).flatMap(({ settings }) => settings)

test('[ENT-18] a barcode setting has code, revision, description, commands and a default mark', () => {
  expect(listSettings('CR2700').find(({ code }) => code === 'M20342')).toEqual({
    code: 'M20342',
    revision: '01',
    description: 'Beep volume: High',
    sourceString: ['FBGRSVO100', 'FBCBSVO100', 'FBCMSVO100', 'FBERSVO100'],
    isDefault: true,
    evidence: 'published',
    group: 'Feedback',
  })
  expect(listSettings('CR2700').find(({ code }) => code === 'han-xin-polarity:both')?.description).toBe(
    'Han Xin polarity: Normal and inverse',
  )
})

test('[EVI-01] a barcode setting says how well its command is known for the reader', () => {
  const evidence = (device: 'CR2700' | 'CR950', code: string) => listSettings(device).find((setting) => setting.code === code)?.evidence
  expect(evidence('CR2700', 'M20003')).toBe('published')
  // The listing has the code for the CR2700 only.
  expect(evidence('CR950', 'M20003')).toBe('inferred')
  expect(evidence('CR950', 'M20160')).toBe('secondary')
})

test('a reader has the settings of its own options, each with one code and commands that a symbol holds', () => {
  const codes = listSettings('CR2700').map(({ code }) => code)
  expect(new Set(codes).size).toBe(codes.length)
  expect(codes).not.toContain('M20160')
  expect(listSettings('CR950').map(({ code }) => code)).toContain('M20160')
  expect(barcodeSettings(catalogue, 'CR2700').map(({ title }) => title)).toEqual([
    ...catalogue.map(({ title }) => title),
    'Reset and service',
  ])
  for (const { sourceString } of listSettings('CR2700')) expect(payloadProblem({ commands: sourceString, reset: false })).toBeNull()
})
