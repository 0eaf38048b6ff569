import type { IncomingMessage, ServerResponse } from 'node:http'
import { whenClosed } from './leaving.ts'

// Bytes per second that a body must bring once `ms` are over.
const slowest = 16_384

interface Receiving {
  request: IncomingMessage
  since: number
  // How many bytes its connection had read when it began.
  before: number
}

// Cuts off requests whose body trickles in, which would hold connections cheaply (S-25). Time that the server itself takes does not count.
// Any body may take `ms`.
export function createSlowRequests(ms: number, cut: (request: IncomingMessage) => void) {
  const receiving = new Set<Receiving>()
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    for (const one of receiving) {
      const late = Date.now() - one.since - ms
      const { request } = one
      const isTaken = request.readableLength === 0
      if (late <= 0 || !isTaken || request.socket.bytesRead - one.before >= (late / 1_000) * slowest) continue
      forget(one)
      cut(request)
    }
  }

  function forget(one: Receiving): void {
    receiving.delete(one)
    if (receiving.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    watch(request: IncomingMessage, response: ServerResponse): void {
      if (request.complete || !hasBody(request)) return
      const one = { request, since: Date.now(), before: request.socket.bytesRead }
      receiving.add(one)
      timer ??= setInterval(look, Math.min(1_000, ms / 4))
      request.once('end', () => forget(one))
      whenClosed(response, () => forget(one))
    },
  }
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
