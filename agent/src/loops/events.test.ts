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
  const server: Server = {
    ...real,
    open(...call) {
      tries.push(Date.now())
      return real.open(...call)
    },
  }
  const onHint = () => {
    hints += 1
  }
  const events = new Events({ server, now: () => new Date(), onHint })
  const ending = new AbortController()
  const done = loop('Events', new Wakeup(), () => events.run(ending.signal), { log: memoryLog(), signal: ending.signal })
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
  return {
    /** @returns the milliseconds until the next stream is opened, among `expected` */
    async endAfter(lived: number, expected: number): Promise<number> {
      await vi.advanceTimersByTimeAsync(lived)
      stream!.end()
      await nextHint()
      await new Promise(setImmediate)
      const end = Date.now()
      await vi.advanceTimersByTimeAsync(expected)
      await nextHint()
      return tries.at(-1)! - end
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
