import { expect, test } from 'vitest'
import { connectTo } from '../server/client.ts'
import { newFolder } from '../testing/folder.ts'
import { memoryLog } from '../testing/log.ts'
import { startPeer } from '../testing/peer.ts'
import { readAll, sha256 } from '../testing/publications.ts'
import { Contents, DamagedContent } from './contents.ts'
import { Downloads } from './downloads.ts'

const never = new AbortController().signal
const makeContent = (text: string, name: string) => ({ contentHash: sha256(text), size: text.length, name, publications: [] })

test('a content that arrives damaged three times is given up, with a reason, until it arrives whole', async () => {
  let body = 'ONE'
  const log = memoryLog()
  const peer = await startPeer((_call, response) => void response.end(body))
  const downloads = new Downloads(new Contents(newFolder(), connectTo(peer.url, 'c')), log)
  const content = makeContent('one', 'v1.js for CR2700')
  for (let time = 1; time <= 3; time += 1) {
    expect(downloads.isHopeless(content.contentHash)).toBe(false)
    await expect(downloads.fetchAll([content], never)).rejects.toBeInstanceOf(DamagedContent)
  }
  expect(downloads.isHopeless(content.contentHash)).toBe(true)
  expect(log.lines.at(-1)).toBe('Warning: v1.js for CR2700 arrived damaged (3 times). Its SHA-256 is not the published one.')
  body = 'one'
  await downloads.fetchAll([content], never)
  expect(downloads.isHopeless(content.contentHash)).toBe(false)
  expect((await readAll((await downloads.open(content.contentHash))!)).toString()).toBe('one')
})

test('one content that does not arrive does not hold back the others', async () => {
  const peer = await startPeer(({ path }, response) => (path.includes(sha256('one')) ? void response.destroy() : void response.end('two')))
  const downloads = new Downloads(new Contents(newFolder(), connectTo(peer.url, 'c')), memoryLog())
  const second = makeContent('two', 'v2.js for V4500')
  await expect(downloads.fetchAll([makeContent('one', 'v1.js for CR2700'), second], never)).rejects.toThrow('cannot be reached')
  expect(await downloads.open(second.contentHash)).not.toBeNull()
})
