import { expect, test } from 'vitest'
import { readGroupAddress } from './group-address.ts'

test.each([{}, { organizationId: 'org' }, { groupId: '7' }, { organizationId: '', groupId: '7' }, { organizationId: 'org', groupId: '' }])(
  '[ADM-11] throws where a parameter is missing: %j',
  (parameters) => {
    expect(() => readGroupAddress(parameters)).toThrow(new Error('groupId or organizationId is missing'))
  },
)

test.each([
  ['7', 7],
  ['010', 10],
  ['0x10', null],
  ['1e1', null],
  ['12abc', null],
  ['-7', null],
  ['7.0', null],
  [' 7', null],
  ['٧', null],
])('[ADM-12] the group id %j is read base 10', (groupId, read) => {
  expect(readGroupAddress({ organizationId: 'org', groupId })).toEqual({ organizationId: 'org', groupId: read })
})
