import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { openContentStore } from './content-store.ts'

const folder = await mkdtemp(join(tmpdir(), 'lectern-test-'))
const incoming = join(folder, 'incoming')
const store = await openContentStore(folder)
afterAll(() => rm(folder, { recursive: true }))
const chunk = Buffer.alloc(64 * 1024, 7)

test('takes no more into memory than it has written: each part is on its way to the disk before the next is asked for', async () => {
  const written: number[] = []
  async function* source() {
    for (let part = 0; part < 200; part++) {
      const [name] = await readdir(incoming)
      written.push((await stat(join(incoming, name as string))).size)
      yield chunk
    }
  }
  const file = await store.receive(source(), 'large', 2 ** 30)
  expect(written).toEqual(Array.from({ length: 200 }, (_, part) => part * chunk.length))
  expect(file.size).toBe(200 * chunk.length)
  await file.discard()
})

test('a source that breaks leaves nothing', async () => {
  async function* source() {
    yield chunk
    throw new Error('cut')
  }
  await expect(store.receive(source(), 'cut', 2 ** 30)).rejects.toThrow('cut')
  expect(await readdir(incoming)).toEqual([])
})

// A process can be forbidden to write more than a limit, which the store sees as a full disk.
test.skipIf(process.platform === 'win32')('a full disk is a readable problem and leaves nothing behind', async () => {
  const program = `
    import { openContentStore } from '${new URL('content-store.ts', import.meta.url)}'
    const store = await openContentStore(process.argv[1])
    async function* source() { for (let part = 0; part < 100; part++) yield Buffer.alloc(65536) }
    await store.receive(source(), 'large', 2 ** 30).catch(({ status, message }) => console.log(JSON.stringify({ status, message })))`
  const command = 'ulimit -f 1000; exec "$0" --no-warnings --input-type=module -e "$1" "$2"'
  const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, program, folder])
  expect(JSON.parse(stdout)).toEqual({
    status: 507,
    message: 'The server has no space left for this file. Nothing was saved. Contact the administrator of the server.',
  })
  expect(await readdir(incoming)).toEqual([])
})
