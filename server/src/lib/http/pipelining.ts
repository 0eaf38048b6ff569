import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** Requests of a connection that wait for the one before. */
interface Connection {
  isBusy: boolean
  waiting: [IncomingMessage, ServerResponse][]
}

/**
 * Handles one request of a connection at a time: responses are sent in order anyway. Thousands that are sent without waiting then cost next
 * to nothing (FAI-02): while some wait, no more is read from the connection.
 */
export function oneAtATime(handle: Handle): Handle {
  const connections = new WeakMap<Socket, Connection>()
  const start = (socket: Socket, connection: Connection, request: IncomingMessage, response: ServerResponse) => {
    connection.isBusy = true
    response.once('close', () => {
      connection.isBusy = false
      if (socket.destroyed) connection.waiting = []
      const next = connection.waiting.shift()
      if (!next) return
      if (connection.waiting.length === 0) socket.resume()
      start(socket, connection, ...next)
    })
    handle(request, response)
  }
  return (request, response) => {
    const { socket } = request
    const connection = connections.get(socket) ?? { isBusy: false, waiting: [] }
    connections.set(socket, connection)
    if (connection.isBusy) {
      connection.waiting.push([request, response])
      socket.pause()
    } else start(socket, connection, request, response)
  }
}
