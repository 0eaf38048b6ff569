import type { EventHub } from '../../lib/event-hub.ts'
import type { EventSource, Viewer } from '../../lib/http/send-events.ts'

/** The first of several changes is sent at once, the others together after so long. */
const atMostMs = 1_000
/** After this long a stream ends; its viewer opens it again and is authorized again. */
const openForMs = 5 * 60_000

// What has changed is not sent: each viewer reads its own page, filtered as it is.
export const watchRollouts =
  (events: EventHub, organizationId: number): EventSource =>
  (viewer: Viewer) => {
    let sent = 0
    let isWaiting = false
    let timer: NodeJS.Timeout | undefined
    const send = () => {
      isWaiting = false
      viewer.send({ id: String(++sent), event: 'rollouts', data: String(sent) })
      timer = setTimeout(() => {
        timer = undefined
        if (isWaiting) send()
      }, atMostMs)
    }
    const hear = () => {
      if (timer) isWaiting = true
      else send()
    }
    const unsubscribe = events.subscribe(organizationId, { hear, end: () => viewer.end() })
    const end = setTimeout(() => viewer.end(), openForMs)
    // Something may have changed since the page was read.
    send()
    return () => {
      clearTimeout(timer)
      clearTimeout(end)
      unsubscribe()
    }
  }
