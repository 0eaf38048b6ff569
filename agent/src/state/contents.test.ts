import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { connectTo } from '../server/client.ts'
import { bytesOf } from '../testing/fleet.ts'
import { newFolder } from '../testing/folder.ts'
import { type HeardCall, json, problem, startPeer } from '../testing/peer.ts'
import { CutOff, contentsIn, DamagedContent } from './contents.ts'

const bytes = randomBytes(50_000)
const hash = createHash('sha256').update(bytes).digest('hex')
const never = new AbortController().signal

/** A peer that serves `bytes` by range, and cuts off the connection after `cuts.shift()` bytes as long as there are some. */
async function rangePeer(cuts: number[]) {
  return startPeer((call: HeardCall, response) => {
    const [, from = '0'] = /^bytes=(\d+)-$/.exec(call.headers.range ?? '') ?? []
    const isPart = call.headers.range !== undefined && call.headers['if-range'] === `"${hash}"`
    const rest = bytes.subarray(isPart ? Number(from) : 0)
    const headers = { etag: `"${hash}"`, 'content-length': rest.length }
    if (isPart) response.writeHead(206, { ...headers, 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` })
    else response.writeHead(200, headers)
    const cut = cuts.shift()
    if (cut === undefined || cut >= rest.length) response.end(rest)
    else response.write(rest.subarray(0, cut), () => setImmediate(() => response.destroy()))
  })
}

test('a download that is cut off again and again is resumed where it stopped and ends byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(40_000), { maxLength: 5 }), async (cuts) => {
      const folder = newFolder()
      const peer = await rangePeer([...cuts])
      let received = 0
      for (let attempt = 0; ; attempt += 1) {
        // A restart: nothing is remembered but the folder.
        const contents = contentsIn(folder, connectTo(peer.url, 'credential'))
        try {
          received = (await contents.download(hash, bytes.length, never)).received
          break
        } catch (error) {
          expect(error).toBeInstanceOf(CutOff)
          expect(attempt).toBeLessThan(cuts.length)
        }
      }
      const resumedAt = Number(/\d+/.exec(peer.calls.at(-1)?.headers.range ?? '0')?.[0])
      expect(resumedAt + received).toBe(bytes.length)
      expect(await bytesOf((await contentsIn(folder, connectTo(peer.url, 'c')).open(hash))!)).toEqual(bytes)
      expect(readdirSync(folder)).toEqual([hash])
    }),
    { numRuns: 25 },
  )
})

test('bytes that are not what was published are discarded and never given out', async () => {
  const folder = newFolder()
  const damaged = Buffer.from(bytes)
  damaged.writeUInt8(bytes.readUInt8(777) ^ 1, 777)
  const peer = await startPeer((_call, response) => void response.end(damaged))
  const contents = contentsIn(folder, connectTo(peer.url, 'credential'))
  await expect(contents.download(hash, bytes.length, never)).rejects.toBeInstanceOf(DamagedContent)
  expect(await contents.open(hash)).toBeNull()
  expect(readdirSync(folder)).toEqual([])
})

test('a complete file that has rotted since is not given out and is downloaded anew', async () => {
  const folder = newFolder()
  const contents = contentsIn(folder, connectTo((await rangePeer([])).url, 'credential'))
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
  const contents = contentsIn(folder, connectTo(peer.url, 'credential'))
  writeFileSync(join(folder, `${hash}.part`), bytes.subarray(0, 10))
  await expect(contents.download(hash, bytes.length, never)).rejects.toThrow('starts again')
  expect(existsSync(join(folder, `${hash}.part`))).toBe(false)
  await expect(contents.download(hash, bytes.length, never)).rejects.toBeInstanceOf(DamagedContent)
})

test('contents nobody desires any more are deleted', async () => {
  const folder = newFolder()
  for (const name of [hash, `${hash}.part`, 'a'.repeat(64), `${'b'.repeat(64)}.part`]) writeFileSync(join(folder, name), '')
  await contentsIn(folder, connectTo('http://127.0.0.1:9', 'c')).keepOnly(new Set([hash]))
  expect(readdirSync(folder).sort()).toEqual([hash, `${hash}.part`])
})
