import { expect, test } from 'vitest'
import { findInstalled } from './installed.ts'

const windows = { ProgramFiles: 'C:\\Program Files', ProgramData: 'C:\\ProgramData' }

test.for<[platform: string, program: string, state: string | null]>([
  ['linux', '/usr/lib/lectern-agent/lectern-agent', '/var/lib/lectern-agent'],
  ['linux', '/home/me/lectern-agent/lectern-agent', null],
  ['linux', '/usr/bin/node', null],
  ['win32', 'c:\\program files\\lectern agent\\lectern-agent.exe', 'C:\\ProgramData\\Lectern Agent'],
  ['win32', 'C:\\Users\\me\\AppData\\Local\\Temp\\lectern-agent.exe', null],
  ['darwin', '/usr/lib/lectern-agent/lectern-agent', null],
])('on %s the program %s has the state folder %s of the package', ([platform, program, state]) => {
  expect(findInstalled(platform, windows, program)?.state ?? null).toBe(state)
})
