import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** What came on a connection behind a request that is not answered yet. */
interface Connection {
  isBusy: boolean
  waiting: [IncomingMessage, ServerResponse][]
}

/**
 * Takes the next request of a connection once the response before it has ended. They are sent in that order anyway, and so thousands that are sent without
 * waiting cost next to nothing until it is their turn (FAI-02). No more is read from the connection while some wait.
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
