import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hostTimeZone } from './time-zone.ts'

async function link(zone: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-zone-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'zoneinfo', zone)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, '')
  await symlink(file, join(folder, 'localtime'))
  return join(folder, 'localtime')
}

test.each(['', ':', ':localtime', 'localtime'])(
  '[INP-05] where TZ is %j the link of the system says the time zone',
  async (environment) => {
    expect(hostTimeZone(environment, await link('Asia/Kathmandu'))).toBe('Asia/Kathmandu')
  },
)

test('[INP-05] TZ may name a file, with a colon or without, or a zone', async () => {
  const file = await link('Europe/Berlin')
  expect([file, `:${file}`, 'America/Chicago', ':America/Chicago'].map((environment) => hostTimeZone(environment))).toEqual([
    'Europe/Berlin',
    'Europe/Berlin',
    'America/Chicago',
    'America/Chicago',
  ])
})

test.each(['Etc/Unknown', 'W. Europe Standard Time', 'Mars/Olympus'])(
  '[INP-05] of %s it asks for --time-zone, and takes no other',
  (environment) => {
    expect(() => hostTimeZone(environment)).toThrow('Give it with --time-zone, such as --time-zone Europe/Berlin.')
  },
)
