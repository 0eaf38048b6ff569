import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Folder, folderAt } from '../state/folder.ts'
import { lockFolder } from '../state/lock.ts'
import { bindToMachine } from '../state/machine.ts'
import { newFolder } from '../testing/folder.ts'
import { memoryLog } from '../testing/log.ts'
import { takeOver } from './take-over.ts'

const enrollment = {
  version: 1,
  server: 'https://lectern.example',
  zoneId: '0198c0de-0001-7000-8000-000000000001',
  zoneName: 'ICU 3',
  credential: 'the credential',
  hostId: 'host',
  hostName: 'NRH-01',
  organizationId: 'organization',
  ofNewerAgent: 'kept',
}

/** A state folder of before. */
function earlierFolder(more: object = {}): Folder {
  const folder = folderAt(newFolder())
  writeFileSync(folder.enrollment, JSON.stringify({ ...enrollment, ...more }))
  writeFileSync(folder.journal, 'outcomes that are not reported\n')
  return folder
}

const take = (from: string, state: string, machineId: string | null = 'this-pc') =>
  takeOver(from, state, async () => machineId, memoryLog())

test('[AGT-02] a folder of before is taken over with its reports, and has no enrollment then', async () => {
  const [old, folder] = [earlierFolder(), folderAt(newFolder())]
  await take(old.path, folder.path)
  expect(JSON.parse(readFileSync(folder.enrollment, 'utf8'))).toEqual(enrollment)
  expect(readFileSync(folder.journal, 'utf8')).toBe('outcomes that are not reported\n')
  expect(readdirSync(old.path)).toEqual(['journal.jsonl'])
  expect(existsSync(folder.lock)).toBe(false)
  await expect(take(old.path, folder.path)).rejects.toMatchObject({ exitCode: 4 })
})

test('[AGT-02] killed before the former folder had given its enrollment up, it ends that, and the new folder keeps what it has done since', async () => {
  const [old, folder] = [earlierFolder(), folderAt(newFolder())]
  const before = readFileSync(old.enrollment)
  await take(old.path, folder.path)
  writeFileSync(old.enrollment, before)
  writeFileSync(folder.journal, 'later outcomes\n')
  await take(old.path, folder.path)
  expect(readFileSync(folder.journal, 'utf8')).toBe('later outcomes\n')
  expect(existsSync(old.enrollment)).toBe(false)
})

test('[AGT-02] nothing is taken while an agent holds the former folder, nor of another PC, nor over another enrollment', async () => {
  const [old, folder] = [earlierFolder(), folderAt(newFolder())]
  const lock = await lockFolder(old)
  await expect(take(old.path, folder.path)).rejects.toMatchObject({ exitCode: 5 })
  await lock.release()
  const foreign = earlierFolder({ machine: bindToMachine('host', 'other-pc') })
  await expect(take(foreign.path, folder.path)).rejects.toMatchObject({ exitCode: 8 })
  const taken = earlierFolder({ credential: 'another' })
  await expect(take(old.path, taken.path)).rejects.toMatchObject({
    exitCode: 2,
    message: 'This PC is already enrolled in the zone ICU 3 at https://lectern.example.',
  })
  expect([existsSync(folder.enrollment), existsSync(old.enrollment)]).toEqual([false, true])
})

test('[AGT-02] a link is not followed, neither to a file nor to the folder; nor is a folder taken that others may write', async () => {
  const [old, folder] = [earlierFolder(), folderAt(newFolder())]
  const secret = join(newFolder(), 'secret')
  writeFileSync(secret, 'secret')
  rmSync(old.journal)
  symlinkSync(secret, old.journal)
  await expect(take(old.path, folder.path)).rejects.toMatchObject({
    exitCode: 7,
    message: `${old.journal} is no file. Nothing was taken over.`,
  })
  const open = earlierFolder()
  chmodSync(open.path, 0o777)
  await expect(take(open.path, folder.path)).rejects.toMatchObject({ exitCode: 7 })
  const link = join(newFolder(), 'link')
  symlinkSync(earlierFolder().path, link)
  await expect(take(link, folder.path)).rejects.toMatchObject({ exitCode: 2, message: `${link} is no folder, or a link to another.` })
  expect(existsSync(folder.enrollment)).toBe(false)
})
