import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished } from 'node:stream'
import { giveBackSpent } from '../spent-buffers.ts'
import { hasBody } from './slow-requests.ts'

// A client may send its whole body before it reads. So much of the body is read and dropped, for so long after the response.
const maxDrainedBytes = 64 * 1024 * 1024
const drainTimeoutMs = 30_000
const drainTimeoutAtStopMs = 100

/**
 * Lets responses begin before their request was read to its end, as the refusal of an upload does. Node itself either stops reading and
 * keeps the connection, so that its next request is never reached, or closes it at once, so that a client that still sends gets a reset in
 * place of the response. These responses read the rest of the body and drop it. While a part of it is still to come they have `connection:
 * close`, and close in stages (RFC 9112 §9.6).
 */
export function createDrainingResponses(stopping: AbortSignal) {
  const draining = new Set<Socket>()
  let isStopping = false

  class DrainingResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, ...rest: unknown[]): this {
      if (stopping.aborted) this.setHeader('connection', 'close')
      if (hasBody(this.req) && !this.req.destroyed) {
        this.req.unpipe().resume()
        if (!this.req.complete) {
          this.setHeader('connection', 'close')
          closeInStages(this.req)
        }
      }
      return super.writeHead(status, ...(rest as [OutgoingHttpHeaders]))
    }
  }

  function closeInStages(request: IncomingMessage): void {
    const { socket } = request
    const { destroySoon } = socket
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      giveBackSpent(chunk.length)
      bytes += chunk.length
      if (bytes > maxDrainedBytes) socket.destroy()
    })
    // Node calls this once the response was sent.
    socket.destroySoon = () => {
      draining.add(socket)
      const timer = setTimeout(() => socket.destroy(), isStopping ? drainTimeoutAtStopMs : drainTimeoutMs)
      socket.once('close', () => {
        clearTimeout(timer)
        draining.delete(socket)
      })
      socket.end()
      finished(request, () => destroySoon.call(socket))
    }
  }

  return {
    ServerResponse: DrainingResponse,
    /** Closes the connections whose response was sent. */
    stop() {
      isStopping = true
      for (const socket of draining) socket.destroy()
    },
  }
}
