import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectTo, type Server } from '../server/client.ts'
import { memoryLog } from '../testing/log.ts'
import { startPeer } from '../testing/peer.ts'
import { Wakeup } from '../wakeup.ts'
import { Events } from './events.ts'
import { loop } from './loop.ts'

const second = 1000

/** A loop over a peer whose streams the test ends. Every pause is as long as it can be. */
async function listen() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.spyOn(Math, 'random').mockReturnValue(1)
  onTestFinished(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
  let stream: ServerResponse | null = null
  const peer = await startPeer((_call, response) => {
    stream = response
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  })
  const tries: number[] = []
  let hints = 0
  const real = connectTo(peer.url, 'secret')
  const server: Server & { isAway: boolean } = {
    ...real,
    isAway: false,
    open(...call) {
      tries.push(Date.now())
      return real.open(...call)
    },
  }
  const onHint = () => {
    hints += 1
  }
  const log = memoryLog()
  const events = new Events({ server, log, poll: 60 * second, now: () => new Date(), onHint })
  const ending = new AbortController()
  const done = loop('Events', new Wakeup(), () => events.run(ending.signal), { log, signal: ending.signal })
  onTestFinished(async () => {
    ending.abort()
    await done
  })

  let expectedHints = 0
  async function nextHint(): Promise<void> {
    expectedHints += 1
    while (hints < expectedHints && !ending.signal.aborted) await new Promise(setImmediate)
  }
  await nextHint()
  /** @returns the milliseconds until the next stream is opened, among `expected` */
  async function nextTry(expected: number): Promise<number> {
    await nextHint()
    await new Promise(setImmediate)
    const end = Date.now()
    await vi.advanceTimersByTimeAsync(expected)
    await nextHint()
    return tries.at(-1)! - end
  }
  return {
    log: log.lines,
    server,
    /** Nothing comes over the stream that is open. */
    async staySilent(expected: number): Promise<number> {
      await vi.advanceTimersByTimeAsync(75 * second)
      return nextTry(expected)
    },
    /** The stream brings an event all 30 s. */
    async stayOpen(milliseconds: number): Promise<void> {
      for (let left = milliseconds; left > 0; left -= 30 * second) {
        await vi.advanceTimersByTimeAsync(Math.min(left, 30 * second))
        stream!.write('event: desired\ndata: {}\n\n')
        await nextHint()
      }
    },
    /** @returns the milliseconds until the next stream is opened, among `expected` */
    async endAfter(lived: number, expected: number): Promise<number> {
      await vi.advanceTimersByTimeAsync(lived)
      stream!.end()
      return nextTry(expected)
    },
  }
}

test('streams that end at once are opened again after 1, 2, 4 … 60 s, and one that lasted a minute starts anew', async () => {
  const { endAfter } = await listen()
  const pauses: number[] = []
  for (const expected of [1, 2, 4, 8, 16, 32, 60, 60]) pauses.push(await endAfter(0, expected * second))
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((pause) => pause * second))
  expect(await endAfter(60 * second - 1, 60 * second)).toBe(60 * second)
  expect(await endAfter(60 * second, second)).toBe(second)
  expect(await endAfter(0, second)).toBe(second)
  expect(await endAfter(0, 2 * second)).toBe(2 * second)
})

const cutOff =
  'Warning: The stream of events does not stay open: a proxy or something else on the way cuts it off. The server ended the stream of events. The agent asks for updates each minute in its place.'

test('[AGT-07] streams that never last are logged once, after the third, and once again when one stays open', async () => {
  const { endAfter, stayOpen, log } = await listen()
  for (const pause of [1, 2]) await endAfter(0, pause * second)
  expect(log).toEqual([])
  for (const pause of [4, 8, 16]) await endAfter(0, pause * second)
  expect(log).toEqual([cutOff])
  await stayOpen(79 * second)
  expect(log).toEqual([cutOff])
  await stayOpen(second)
  expect(log).toEqual([cutOff, 'The stream of events stays open again.'])
})

test('[AGT-07] streams that end while the server is away are no fault of the way, nor is one after a stream that lasted', async () => {
  const { endAfter, log, server } = await listen()
  server.isAway = true
  for (const pause of [1, 2, 4, 8]) await endAfter(0, pause * second)
  server.isAway = false
  for (const pause of [16, 32]) await endAfter(0, pause * second)
  await endAfter(60 * second, second)
  for (const pause of [1, 2]) await endAfter(0, pause * second)
  expect(log).toEqual([])
})

test('[AGT-07] streams over which nothing comes do not last, however long they are open', async () => {
  const { staySilent, log } = await listen()
  for (const pause of [1, 2]) expect(await staySilent(pause * second)).toBe(pause * second)
  expect(log).toEqual([])
  expect(await staySilent(4 * second)).toBe(4 * second)
  expect(log).toEqual([expect.stringContaining('cuts it off. Nothing came for 75 s. The agent asks for updates each minute in its place.')])
})
