import { expect, test } from 'vitest'
import { startPeer } from '../testing/peer.ts'
import { connectTo } from './client.ts'
import { Unavailable } from './errors.ts'
import { listenForDesired } from './events.ts'

const never = new AbortController().signal

test('events arrive as they come, uncompressed, and the last one is named when listening again', async () => {
  const peer = await startPeer((_call, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': hello\n\nid: 41\nevent: des')
    response.end('ired\ndata: {}\n\nid: 42\nevent: desired\ndata: {}\n\n')
  })
  const received: (string | null)[] = []
  const server = connectTo(peer.url, 'secret')
  let lastId: string | null = null
  for (let time = 0; time < 2; time += 1) {
    await expect(
      listenForDesired(server, lastId, {
        signal: never,
        onOpen: () => received.push('opened'),
        onEvent(id) {
          received.push(id)
          lastId = id
        },
      }),
    ).rejects.toBeInstanceOf(Unavailable)
  }
  expect(received).toEqual(['opened', '41', '42', 'opened', '41', '42'])
  expect(peer.calls.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '42'])
  expect(peer.calls.map(({ headers }) => headers['accept-encoding'])).toEqual(['identity', 'identity'])
})

test('listening ends at once when the agent ends', async () => {
  const peer = await startPeer((_call, response) => void response.writeHead(200).flushHeaders())
  const ending = new AbortController()
  const listening = listenForDesired(connectTo(peer.url, 'secret'), null, {
    signal: ending.signal,
    onOpen: () => ending.abort(),
    onEvent() {},
  })
  await expect(listening).rejects.toBeInstanceOf(Unavailable)
})
