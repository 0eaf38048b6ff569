import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../testing/folder.ts'
import { readMachineId } from './machine.ts'

test.each([
  ['as systemd writes it', '3d1219c7c4c5404aaa1f6d2a48adfda4\n', '3d1219c7c4c5404aaa1f6d2a48adfda4'],
  ['empty', '', null],
  ['white space', ' \n', null],
  ['of an image that has not started yet', 'uninitialized\n', null],
  ['missing', null, null],
])('[AGT-08] a machine id that is %s', async (_, text, expected) => {
  const file = join(newFolder(), 'machine-id')
  if (text !== null) writeFileSync(file, text)
  expect(await readMachineId({ platform: 'linux', file })).toBe(expected)
})

const answer = (value: string) =>
  `\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Cryptography\r\n    MachineGuid    REG_SZ    ${value}\r\n\r\n`

test.each([
  ['has one', async () => answer('9F5A1C8E-77B0-4a5c-9d11-6cf0d0a3c1be'), '9f5a1c8e-77b0-4a5c-9d11-6cf0d0a3c1be'],
  ['has an empty one', async () => answer(''), null],
  ['refuses to say', () => Promise.reject(new Error('ERROR: The system was unable to find the specified registry key.')), null],
])('[AGT-08] a registry of Windows that %s', async (_, registry, expected) => {
  expect(await readMachineId({ platform: 'win32', registry })).toBe(expected)
})
