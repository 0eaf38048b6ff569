import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { connectTo } from '../server/client.ts'
import { newFolder } from '../testing/folder.ts'
import { json, problem, type ReceivedCall, startPeer } from '../testing/peer.ts'
import { readAll } from '../testing/publications.ts'
import { Contents, CutOff, DamagedContent } from './contents.ts'

const bytes = randomBytes(300_000)
const hash = createHash('sha256').update(bytes).digest('hex')
const never = new AbortController().signal

/** A peer that serves `bytes` by range. As long as there are `cuts`, it cuts off a response after `cuts.shift()` bytes. */
async function rangePeer(cuts: number[], knowsRanges = true) {
  return startPeer((call: ReceivedCall, response) => {
    const [, from = '0', to = '0'] = /^bytes=(\d+)-(\d+)$/.exec(call.headers.range ?? '') ?? []
    const isPart = knowsRanges && call.headers['if-range'] === `"${hash}"`
    const part = isPart ? bytes.subarray(Number(from), Number(to) + 1) : bytes
    const headers = { etag: `"${hash}"`, 'content-length': part.length }
    const contentRange = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`
    if (isPart) response.writeHead(206, { ...headers, 'content-range': contentRange })
    else response.writeHead(200, headers)
    const cut = cuts.shift()
    if (cut === undefined || cut >= part.length) response.end(part)
    else response.write(part.subarray(0, cut), () => setImmediate(() => response.destroy()))
  })
}

/** Downloads until it succeeds, each time as after a restart. Returns how many bytes arrived the last time. */
async function downloadUntilWhole(folder: string, url: string, mostAttempts: number): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    // Nothing is remembered but the folder.
    const contents = new Contents(folder, connectTo(url, 'credential'))
    try {
      return await contents.download(hash, bytes.length, never)
    } catch (error) {
      expect(error).toBeInstanceOf(CutOff)
      expect(attempt).toBeLessThan(mostAttempts)
    }
  }
}

test('a download that is cut off again and again is resumed where it stopped and ends byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(80_000), { maxLength: 8 }), async (cuts) => {
      const folder = newFolder()
      const peer = await rangePeer([...cuts])
      await downloadUntilWhole(folder, peer.url, cuts.length + 1)
      const asked = peer.calls.map(({ headers }) =>
        /^bytes=(\d+)-(\d+)$/
          .exec(headers.range ?? '')!
          .slice(1)
          .map(Number),
      )
      // A cut costs no more than was asked for at once, and each call continues where the file ends.
      for (const [index, [from = 0, to = 0]] of asked.entries()) {
        expect(to - from + 1).toBe(64 * 1024)
        const [before = 0] = asked[index - 1] ?? []
        expect(from).toBeGreaterThanOrEqual(before)
        expect(from - before).toBeLessThanOrEqual(64 * 1024)
      }
      expect(await readAll((await new Contents(folder, connectTo(peer.url, 'c')).open(hash))!)).toEqual(bytes)
      expect(readdirSync(folder)).toEqual([hash])
    }),
    { numRuns: 25 },
  )
})

test('from a server that knows no ranges it arrives whole, from the first byte each time', async () => {
  const folder = newFolder()
  const peer = await rangePeer([70_000, 290_000], false)
  expect(await downloadUntilWhole(folder, peer.url, 3)).toBe(bytes.length)
  expect(peer.calls.length).toBe(3)
  expect(await readAll((await new Contents(folder, connectTo(peer.url, 'c')).open(hash))!)).toEqual(bytes)
})

test('an answer without a byte is a cut, not asked for again and again', async () => {
  const peer = await startPeer((_call, response) => void response.end())
  const contents = new Contents(newFolder(), connectTo(peer.url, 'credential'))
  await expect(contents.download(hash, bytes.length, never)).rejects.toThrow('cut off after 0 of 300000 bytes')
  expect(peer.calls.length).toBe(1)
})

test('bytes that are not what was published are discarded and never given out', async () => {
  const folder = newFolder()
  const damaged = Buffer.from(bytes)
  damaged.writeUInt8(bytes.readUInt8(777) ^ 1, 777)
  const peer = await startPeer((_call, response) => void response.end(damaged))
  const contents = new Contents(folder, connectTo(peer.url, 'credential'))
  await expect(contents.download(hash, bytes.length, never)).rejects.toBeInstanceOf(DamagedContent)
  expect(await contents.open(hash)).toBeNull()
  expect(readdirSync(folder)).toEqual([])
})

test('a complete file that has rotted since is not given out and is downloaded again', async () => {
  const folder = newFolder()
  const contents = new Contents(folder, connectTo((await rangePeer([])).url, 'credential'))
  writeFileSync(join(folder, hash), 'rotten')
  expect(await contents.open(hash)).toBeNull()
  expect(await contents.has(hash)).toBe(false)
  await contents.download(hash, bytes.length, never)
  expect(await contents.open(hash)).not.toBeNull()
  // Also one that was verified before.
  writeFileSync(join(folder, hash), Buffer.from(bytes).fill(1, 777, 778))
  expect(await contents.open(hash)).toBeNull()
})

test('a server that cannot continue, or sends more than there is, does not leave a wrong file', async () => {
  const folder = newFolder()
  let first = true
  const peer = await startPeer((_call, response) => {
    if (first) json(response, 416, problem(416, 'no such range'))
    else response.end(Buffer.concat([bytes, bytes]))
    first = false
  })
  const contents = new Contents(folder, connectTo(peer.url, 'credential'))
  writeFileSync(join(folder, `${hash}.part`), bytes.subarray(0, 10))
  await expect(contents.download(hash, bytes.length, never)).rejects.toThrow('starts again')
  expect(existsSync(join(folder, `${hash}.part`))).toBe(false)
  await expect(contents.download(hash, bytes.length, never)).rejects.toBeInstanceOf(DamagedContent)
})

test('contents that are no longer desired are deleted', async () => {
  const folder = newFolder()
  for (const name of [hash, `${hash}.part`, 'a'.repeat(64), `${'b'.repeat(64)}.part`]) writeFileSync(join(folder, name), '')
  await new Contents(folder, connectTo('http://127.0.0.1:9', 'c')).keepOnly(new Set([hash]))
  expect(readdirSync(folder).sort()).toEqual([hash, `${hash}.part`])
})
