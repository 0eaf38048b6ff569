import { createParser } from 'eventsource-parser'
import type { Server } from './client.ts'
import { Refusal, Unavailable } from './errors.ts'

/** Milliseconds of silence after which the stream is taken for dead. The server sends a comment at least every 30 s. */
const longestSilence = 75_000

/**
 * Listens to the server's hints until the stream ends, then throws `Unavailable`.
 * @param lastEventId of the last hint heard, so that the server can say what was missed; `heard` is told the newer ones.
 * @param opened called once the stream stands.
 */
export async function listenForDesired(
  server: Server,
  lastEventId: string | null,
  { opened, heard, signal }: { opened: () => void; heard: (event: string, id: string | null) => void; signal: AbortSignal },
): Promise<never> {
  const silence = new AbortController()
  const headers = { accept: 'text/event-stream', ...(lastEventId !== null && { 'last-event-id': lastEventId }) }
  let timer = setTimeout(() => silence.abort(), longestSilence)
  const parser = createParser({ onEvent: ({ event, id }) => heard(event ?? 'message', id ?? null) })
  try {
    const answer = await server.open('streamDesired', {}, { headers, signal: AbortSignal.any([signal, silence.signal]) })
    opened()
    const decoder = new TextDecoder()
    for await (const bytes of answer.body ?? []) {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), longestSilence)
      parser.feed(decoder.decode(bytes, { stream: true }))
    }
  } catch (error) {
    if (error instanceof Refusal || error instanceof Unavailable) throw error
    throw new Unavailable('The stream of changes was cut off.', null, error)
  } finally {
    clearTimeout(timer)
  }
  throw new Unavailable('The server has ended the stream of changes.')
}
