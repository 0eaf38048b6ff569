import { createParser } from 'eventsource-parser'
import { CallError } from './call-error.ts'
import type { Open } from './fetch.ts'
import { pause } from './retries.ts'

/** Milliseconds without data after which a stream counts as dead. The server sends something every 20 s. */
const silenceTimeout = 45_000
const backOff = { firstMs: 500, longestMs: 15_000 }

interface Listening {
  /** Called with each event's data, and with the id from which the stream is opened again. */
  onData: (data: string) => void
  /** Called each time that the connection is lost. */
  onLost: () => void
  signal: AbortSignal
}

/**
 * Follows server-sent events until `signal` aborts. Opens the stream again: at once when the server ends it, else after growing pauses; not
 * after a final refusal.
 */
export async function followEvents(
  open: (options: { signal: AbortSignal }) => ReturnType<Open>,
  { onData, onLost, signal }: Listening,
): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    try {
      await listen(
        open,
        (data) => {
          failures = 0
          onData(data)
        },
        signal,
      )
      // A pause first: a server may end each stream as soon as it is open.
      await pause(backOff.firstMs, signal)
    } catch (error) {
      if (signal.aborted) return
      onLost()
      if (error instanceof CallError && typeof error.status === 'number' && error.status < 500 && error.status !== 429) return
      const longest = Math.min(backOff.longestMs, backOff.firstMs * 2 ** failures++)
      await pause(longest * (0.5 + Math.random() / 2), signal).catch(() => {})
    }
  }
}

async function listen(
  open: (options: { signal: AbortSignal }) => ReturnType<Open>,
  onData: (data: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const silence = new AbortController()
  const watch = () => setTimeout(() => silence.abort(new Error('The stream timed out.')), silenceTimeout)
  let timer = watch()
  try {
    const response = await open({ signal: AbortSignal.any([signal, silence.signal]) })
    const parser = createParser({ onEvent: ({ data }) => onData(data) })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const part = await reader?.read()
      if (!part || part.done) return
      clearTimeout(timer)
      timer = watch()
      parser.feed(part.value)
    }
  } finally {
    clearTimeout(timer)
  }
}
