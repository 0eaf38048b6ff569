import { createParser } from 'eventsource-parser'
import type { Server } from './client.ts'
import { Refusal, Unavailable } from './errors.ts'

/** Milliseconds. The server sends a comment every 30 s. */
const longestSilence = 75_000

interface Listener {
  onOpen: () => void
  onEvent: (id: string | null) => void
  signal: AbortSignal
}

/** Throws `Unavailable` when the stream ends, or `Refusal`. */
export async function listenForDesired(server: Server, lastEventId: string | null, { onOpen, onEvent, signal }: Listener): Promise<never> {
  const silence = new AbortController()
  const headers = { accept: 'text/event-stream', ...(lastEventId !== null && { 'last-event-id': lastEventId }) }
  const timer = setTimeout(() => silence.abort(), longestSilence)
  const parser = createParser({ onEvent: ({ id }) => onEvent(id ?? null) })
  try {
    const answer = await server.open('streamDesired', {}, { headers, signal: AbortSignal.any([signal, silence.signal]) })
    onOpen()
    const decoder = new TextDecoder()
    for await (const bytes of answer.body ?? []) {
      timer.refresh()
      parser.feed(decoder.decode(bytes, { stream: true }))
    }
  } catch (error) {
    if (error instanceof Refusal || error instanceof Unavailable) throw error
    throw new Unavailable('The stream of events was cut off.', null, error)
  } finally {
    clearTimeout(timer)
  }
  throw new Unavailable('The server ended the stream of events.')
}
