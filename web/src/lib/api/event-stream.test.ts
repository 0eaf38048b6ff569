import { expect, test } from 'vitest'
import { CallError } from './call-error.ts'
import { followEvents } from './event-stream.ts'

/** A stream that says something and then ends, or breaks. */
const stream = (text: string, broken?: Error) =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
      async pull(controller) {
        if (!broken) return controller.close()
        // What was said before is heard first.
        await new Promise((resolve) => setImmediate(resolve))
        controller.error(broken)
      },
    }),
  )

/** Follows a stream whose connections get the responses of `openings`, one after the other. Returns what was heard and lost, in order. */
async function follow(...openings: (() => Response)[]): Promise<string[]> {
  const said: string[] = []
  const stop = new AbortController()
  const open = async () => {
    const next = openings.shift()
    if (!next) {
      stop.abort()
      throw new DOMException('Stopped', 'AbortError')
    }
    return next()
  }
  await followEvents(open, { onData: (data) => said.push(data), onLost: () => said.push('lost'), signal: stop.signal })
  return said
}

test('a stream that the server ends is opened again without a word; one that breaks is lost, and opened again', async () => {
  const one = () => stream(': hello\n\nid: 1\nevent: rollout\ndata: one\n\ndata: cut o')
  const two = () => stream('data: two\n\n')
  const refused = () => {
    throw new CallError(503)
  }
  const broken = () => stream('data: three\n\n', new TypeError('network error'))
  expect(await follow(one, refused, two, broken, two)).toEqual(['one', 'lost', 'two', 'three', 'lost', 'two'])
})

test('what the server refuses for good is not asked for again', async () => {
  const gone = () => {
    throw new CallError(404)
  }
  expect(await follow(gone, () => stream('data: never\n\n'))).toEqual(['lost'])
})
