import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../testing/folder.ts'
import { type Folder, folderAt } from './folder.ts'
import { lockFolder, runningAgent } from './lock.ts'

test('a second agent is refused while the first one lives, and let in once it has let go', async () => {
  const folder = folderAt(newFolder())
  const first = await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toMatchObject({ exitCode: 5, message: expect.stringContaining(`process ${process.pid}`) })
  expect(await runningAgent(folder)).toBe(process.pid)
  await first.release()
  expect(await runningAgent(folder)).toBeNull()
  await (await lockFolder(folder)).release()
})

/** As on Windows, with the sockets of this system for its pipes. */
const pipeIn = (folder: Folder) => (key: string) => join(folder.path, key.slice(0, 8))

test.for([false, true])('the lock of a killed agent is taken over, with a pipe: %s', async (withPipe) => {
  const folder = folderAt(newFolder())
  const pipeOf = withPipe ? pipeIn(folder) : null
  const program = `import { join } from 'node:path'
    import { lockFolder } from ${JSON.stringify(new URL('./lock.ts', import.meta.url).href)}
    const folder = ${JSON.stringify(folder)}
    await lockFolder(folder, ${withPipe ? '(key) => join(folder.path, key.slice(0, 8))' : 'null'})
    console.log('locked'); setInterval(() => {}, 1000)`
  const other = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(other.stdout, 'data')
  await expect(lockFolder(folder, pipeOf)).rejects.toMatchObject({ exitCode: 5 })
  expect(await runningAgent(folder, pipeOf)).toBe(other.pid)
  const gone = once(other, 'exit')
  other.kill('SIGKILL')
  await gone
  expect(await runningAgent(folder, pipeOf)).toBeNull()
  const lock = await lockFolder(folder, pipeOf)
  expect(await runningAgent(folder, pipeOf)).toBe(process.pid)
  await lock.release()
})

test('a number that belongs to another process by now does not keep the folder locked, nor does a damaged lock', async () => {
  const folder = folderAt(newFolder())
  for (const left of [JSON.stringify({ pid: process.pid, start: 'another boot 1', key: 'x' }), '{"pid":', '']) {
    writeFileSync(folder.lock, left)
    await (await lockFolder(folder)).release()
  }
})

test.skipIf(process.platform !== 'linux')(
  'a lock of an earlier start of the system is taken over, also where the start of the process is hidden; one of this start is kept',
  async () => {
    const folder = folderAt(newFolder())
    const lock = await lockFolder(folder)
    const { boot } = JSON.parse(readFileSync(folder.lock, 'utf8'))
    expect(boot).toBe(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
    await lock.release()
    const hidden = { pid: process.pid, start: '', key: 'x' }
    for (const same of [{ ...hidden, boot }, hidden]) {
      writeFileSync(folder.lock, JSON.stringify(same))
      await expect(lockFolder(folder)).rejects.toMatchObject({ exitCode: 5 })
    }
    writeFileSync(folder.lock, JSON.stringify({ ...hidden, boot: 'an earlier one' }))
    expect(await runningAgent(folder)).toBeNull()
    await (await lockFolder(folder)).release()
  },
)

test('on Windows the pipe tells, whatever process has the number by now; a lock without one is kept', async () => {
  const folder = folderAt(newFolder())
  const pipeOf = pipeIn(folder)
  const lock = await lockFolder(folder, pipeOf)
  const left = readFileSync(folder.lock, 'utf8')
  await lock.release()
  expect(JSON.parse(left)).toMatchObject({ pid: process.pid, start: 'pipe' })
  writeFileSync(folder.lock, left)
  await (await lockFolder(folder, pipeOf)).release()
  writeFileSync(folder.lock, JSON.stringify({ pid: process.pid, start: '', key: 'x' }))
  await expect(lockFolder(folder, pipeOf)).rejects.toMatchObject({ exitCode: 5 })
})

test.for([false, true])('of many that take over at once exactly one gets the folder, with a pipe: %s', async (withPipe) => {
  const folder = folderAt(newFolder())
  const pipeOf = withPipe ? pipeIn(folder) : null
  writeFileSync(folder.lock, JSON.stringify({ pid: 2 ** 22 + 1, start: withPipe ? 'pipe' : '', key: 'dead' }))
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => lockFolder(folder, pipeOf)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
