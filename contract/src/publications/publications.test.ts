import { expect, test } from 'vitest'
import { contentLabel } from './publications.ts'

const hash = '9f86d081884c7d65'

test.for([
  ['configuration', 'Ward 3, version 2', null, 'Ward 3, version 2'],
  ['configuration', null, null, 'CFG 9f86d081'],
  ['firmware', 'own.crvfw', '4.12.0', '4.12.0'],
  ['firmware', 'own.crvfw', null, 'own.crvfw'],
  ['firmware', null, null, '9f86d081'],
] as const)('a %s with the file name %s and the version %s is called %s', ([kind, name, version, label]) => {
  expect(contentLabel({ kind, hash, name, version })).toBe(label)
})
