import { connect, createServer, type Socket } from 'node:net'

export interface Statement {
  /** '' where it is not prepared. */
  name: string
  text: string
  values: (string | null)[]
  /** The login of its connection. */
  login: string
  /** The statement that shows it an organization's rows, where it is sent beside transactions; else ''. */
  begin: string
}

/** A node of EXPLAIN. */
export interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

/** A statement as PostgreSQL executed it, with the plan that it took then. */
export interface Execution {
  /** The login of its connection. */
  login: string
  text: string
  plan: Plan
  ms: number
}

interface Taken {
  statements: Statement[]
  executions: Execution[]
  /** One per Sync or simple query. */
  roundTrips: number
}

/** Records what the server sends to PostgreSQL, and what auto_explain reports about it. */
export interface Wiretap {
  port: number
  take(): Taken
  close(): void
}

// Statements around a single one are sent in its round trip.
const isBegin = (text: string) => text.startsWith('begin; set local lectern.')

export async function openWiretap(socketPath: string): Promise<Wiretap> {
  let taken: Taken = { statements: [], executions: [], roundTrips: 0 }
  const sockets = new Set<Socket>()
  // Without a delay: otherwise a long response would wait for an acknowledgement.
  const server = createServer({ noDelay: true }, (client) => {
    const database = connect(socketPath)
    // A prepared statement is parsed once, and bound by its name from then on.
    const parsed = new Map<string, string>()
    let login = ''
    let begin = ''
    const hearText = (text: string) => {
      if (isBegin(text)) begin = text
      else if (text === 'end') begin = ''
      else {
        taken.roundTrips++
        if (!/^set (?!local)/.test(text)) taken.statements.push({ name: '', text, values: [], login, begin })
      }
    }
    const hearServer = reader((type, body) => {
      if (type === startUp) login = readParameters(body).get('user') ?? ''
      if (type === 'Q') hearText(cString(body, 0).text)
      if (type === 'S') taken.roundTrips++
      if (type === 'P') {
        const name = cString(body, 0)
        parsed.set(name.text, cString(body, name.end).text)
      }
      if (type === 'B') {
        const name = cString(body, cString(body, 0).end)
        taken.statements.push({ name: name.text, text: parsed.get(name.text)!, values: bindValues(body, name.end), login, begin })
      }
    })
    const hearDatabase = reader((type, body) => {
      const plan = type === 'N' ? readPlan(body) : undefined
      if (plan) taken.executions.push({ login, ...plan })
    }, true)
    client.on('data', hearServer)
    database.on('data', hearDatabase)
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
      const before = taken
      taken = { statements: [], executions: [], roundTrips: 0 }
      return before
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Reads a notice of auto_explain; undefined for any other. */
function readPlan(notice: Buffer): Omit<Execution, 'login'> | undefined {
  for (let at = 0; notice[at] !== 0 && at < notice.length; ) {
    const field = cString(notice, at + 1)
    const [, ms, plan] = notice[at] === 'M'.charCodeAt(0) ? (/^duration: ([\d.]+) ms {2}plan:\n(.*)$/s.exec(field.text) ?? []) : []
    if (plan !== undefined) {
      const { Plan, 'Query Text': text } = JSON.parse(plan) as { Plan: Plan; 'Query Text': string }
      return { text, plan: Plan, ms: Number(ms) }
    }
    at = field.end
  }
  return undefined
}

/** Names and values of the start-up message. */
function readParameters(body: Buffer): Map<string, string> {
  const found = new Map<string, string>()
  for (let at = 4; body[at] !== 0 && at < body.length; ) {
    const name = cString(body, at)
    const value = cString(body, name.end)
    found.set(name.text, value.text)
    at = value.end
  }
  return found
}

const startUp = 'start-up'

/** Cuts the stream into messages: after the start-up message, each has a type, a length and a body (PostgreSQL protocol 3). */
function reader(message: (type: string, body: Buffer) => void, started = false): (chunk: Buffer) => void {
  let pending = Buffer.alloc(0)
  return (chunk) => {
    pending = Buffer.concat([pending, chunk])
    for (;;) {
      const header = started ? 1 : 0
      if (pending.length < header + 4) return
      const end = header + pending.readInt32BE(header)
      if (pending.length < end) return
      message(started ? String.fromCharCode(pending[0]!) : startUp, pending.subarray(header + 4, end))
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
