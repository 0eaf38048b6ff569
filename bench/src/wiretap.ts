import { connect, createServer, type Socket } from 'node:net'

export interface Statement {
  /** Empty where it is not prepared. */
  name: string
  text: string
  values: (string | null)[]
  /** What its connection has set for all of its statements. */
  settings: string
}

/** Records what the server sends to PostgreSQL: statements, and round trips (one a Sync or simple query). */
export interface Wiretap {
  port: number
  take(): { statements: Statement[]; roundTrips: number }
  close(): void
}

// What a statement beside transactions has around it comes in its round trip.
const isBracket = (text: string) => text === 'end' || text.startsWith('begin; set local lectern.')

export async function openWiretap(socketPath: string): Promise<Wiretap> {
  let statements: Statement[] = []
  let roundTrips = 0
  const sockets = new Set<Socket>()
  // Recording must not slow it down: a long response would wait for an acknowledgement.
  const server = createServer({ noDelay: true }, (client) => {
    const database = connect(socketPath)
    // A prepared statement is parsed once, and bound by its name from then on.
    const parsed = new Map<string, string>()
    let settings = ''
    const note = reader((type, body) => {
      if (type === 'Q' && isBracket(cString(body, 0).text)) return
      if (type === 'S' || type === 'Q') roundTrips++
      if (type === 'Q') {
        const { text } = cString(body, 0)
        if (/^set (?!local)/.test(text)) settings = text
        else statements.push({ name: '', text, values: [], settings })
      }
      if (type === 'P') {
        const name = cString(body, 0)
        parsed.set(name.text, cString(body, name.end).text)
      }
      if (type === 'B') {
        const name = cString(body, cString(body, 0).end)
        statements.push({ name: name.text, text: parsed.get(name.text)!, values: bindValues(body, name.end), settings })
      }
    })
    client.on('data', note)
    client.pipe(database).pipe(client)
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        database.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    take() {
      const taken = { statements, roundTrips }
      statements = []
      roundTrips = 0
      return taken
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Cuts the stream into messages: after the start-up message, a type, a length and a body (PostgreSQL protocol 3). */
function reader(message: (type: string, body: Buffer) => void): (chunk: Buffer) => void {
  let pending = Buffer.alloc(0)
  let started = false
  return (chunk) => {
    pending = Buffer.concat([pending, chunk])
    for (;;) {
      const header = started ? 1 : 0
      if (pending.length < header + 4) return
      const end = header + pending.readInt32BE(header)
      if (pending.length < end) return
      if (started) message(String.fromCharCode(pending[0]!), pending.subarray(5, end))
      started = true
      pending = pending.subarray(end)
    }
  }
}

function cString(body: Buffer, start: number): { text: string; end: number } {
  const end = body.indexOf(0, start)
  return { text: body.toString('utf8', start, end), end: end + 1 }
}

function bindValues(body: Buffer, start: number): (string | null)[] {
  let at = start
  at += 2 + 2 * body.readInt16BE(at)
  const count = body.readInt16BE(at)
  at += 2
  return Array.from({ length: count }, () => {
    const length = body.readInt32BE(at)
    at += 4
    if (length < 0) return null
    at += length
    return body.toString('utf8', at - length, at)
  })
}
