import { createParser } from 'eventsource-parser'
import type { Server } from './client.ts'
import { Refusal, Unavailable } from './errors.ts'

/** Milliseconds. The server sends a comment every 30 s. */
export const longestSilence = 75_000

/** Something on the way holds back what the server sends. */
export class SilentStream extends Unavailable {}

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
    for await (const bytes of answer) {
      timer.refresh()
      parser.feed(decoder.decode(bytes, { stream: true }))
    }
  } catch (error) {
    if (silence.signal.aborted) throw new SilentStream(`Nothing came for ${longestSilence / 1000} s.`)
    if (error instanceof Refusal || error instanceof Unavailable) throw error
    throw new Unavailable('The stream of events was cut off.')
  } finally {
    clearTimeout(timer)
  }
  throw new Unavailable('The server ended the stream of events.')
}
