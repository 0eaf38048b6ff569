import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newFolder } from '../testing/folder.ts'
import { folderAt } from './folder.ts'
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

test('the lock of a killed agent is taken over', async () => {
  const folder = folderAt(newFolder())
  const program = `import { lockFolder } from ${JSON.stringify(new URL('./lock.ts', import.meta.url).href)}
    await lockFolder(${JSON.stringify(folder)}); console.log('locked'); setInterval(() => {}, 1000)`
  const other = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(other.stdout, 'data')
  await expect(lockFolder(folder)).rejects.toMatchObject({ exitCode: 5 })
  const gone = once(other, 'exit')
  other.kill('SIGKILL')
  await gone
  const lock = await lockFolder(folder)
  expect(await runningAgent(folder)).toBe(process.pid)
  await lock.release()
})

test('a number that belongs to another process by now does not keep the folder locked, nor does a damaged lock', async () => {
  const folder = folderAt(newFolder())
  for (const left of [JSON.stringify({ pid: process.pid, start: 'another boot 1', key: 'x' }), '{"pid":', '']) {
    writeFileSync(folder.lock, left)
    await (await lockFolder(folder)).release()
  }
})

test('of many that take over at once exactly one gets the folder', async () => {
  const folder = folderAt(newFolder())
  writeFileSync(folder.lock, JSON.stringify({ pid: 2 ** 22 + 1, start: '', key: 'dead' }))
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => lockFolder(folder)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
