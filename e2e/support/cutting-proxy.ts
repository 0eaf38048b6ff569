import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Transform, type Writable } from 'node:stream'

/** What happens once to the next call whose path begins with `path`. */
export interface Interference {
  path: string
  part: 'request' | 'response'
  /**
   * After so many bytes of the body; a shorter body passes up to its last byte. Where bodies are parts of a whole, bytes of the whole
   * count, and parts that end before pass.
   */
  after: number
  /** Cut the connection, flip the next byte, or call a function and hold the connection. */
  act: 'cut' | 'damage' | (() => void)
}

export interface CuttingProxy {
  url: string
  /** The bodies of all requests to a path, in full as they came. */
  requests(path: string): string[]
  /** For each response to a path that did not pass whole: how many of the bytes that had passed the next response brought again. */
  again(path: string): number[]
  /** Arms an interference; `done` resolves once it has happened. */
  arm(interference: Interference): { done: Promise<void>; disarm(): void }
  close(): Promise<void>
}

/** What is known about a response: with which byte of the whole it begins, and how many passed. */
interface Told {
  path: string
  from: number
  passed: number
  isWhole: boolean
}

/** A proxy in front of the server that damages what it is asked to, and changes nothing else. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const seen: { path: string; body: string }[] = []
  const answers: Told[] = []
  let armed: (Interference & { happened: () => void }) | null = null

  /** Takes the armed interference when it is meant for this part of this call, counted from the body's first byte. */
  function take(path: string, part: Interference['part'], { from, end, total } = wholeBody) {
    if (!armed || armed.part !== part || !path.startsWith(armed.path)) return null
    if (armed.after > end && end < total) return null
    const taken = { ...armed, after: armed.after - from }
    armed = null
    return taken
  }

  const server = createServer((incoming, answer) => {
    const path = incoming.url ?? '/'
    const cut = () => incoming.socket.destroy()
    const outgoing = request({ hostname, port, path, method: incoming.method, headers: incoming.headers })
    outgoing.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      answer.flushHeaders()
      const range = parseRange(response)
      const told = { path, from: range.from, passed: 0, isWhole: false }
      answers.push(told)
      pass(response, answer, take(path, 'response', range), cut, told)
    })
    outgoing.on('error', cut)
    answer.on('close', () => outgoing.destroy())
    let body = ''
    incoming.on('data', (bytes: Buffer) => {
      body += bytes.toString('utf8')
    })
    incoming.on('end', () => seen.push({ path, body }))
    pass(incoming, outgoing, take(path, 'request'), () => {
      outgoing.destroy()
      cut()
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: (path) => seen.filter((call) => call.path.startsWith(path)).map(({ body }) => body),
    again(path) {
      const all = answers.filter((answer) => answer.path.startsWith(path))
      return all.flatMap(({ from, passed, isWhole }, index) => {
        const next = all[index + 1]
        return isWhole || !next ? [] : [from + passed - next.from]
      })
    },
    arm(interference) {
      let happened = () => {}
      const done = new Promise<void>((resolve) => {
        happened = resolve
      })
      armed = { ...interference, happened }
      const disarm = () => {
        armed = null
      }
      return { done, disarm }
    },
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

/** Which bytes of the whole an answer brings: from the first to before the end. */
const wholeBody = { from: 0, end: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY }

function parseRange({ headers }: IncomingMessage): typeof wholeBody {
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '')
  return range ? { from: Number(range[1]), end: Number(range[2]) + 1, total: Number(range[3]) } : wholeBody
}

/** Passes a body on, up to where it is interfered with, and keeps account of it. */
function pass(
  from: IncomingMessage,
  to: Writable,
  harm: (Interference & { happened: () => void }) | null,
  cut: () => void,
  told: Pick<Told, 'passed' | 'isWhole'> = { passed: 0, isWhole: false },
): void {
  from.on('error', cut)
  to.on('error', cut)
  let isDone = false
  const act = (next: (error: null, bytes?: Buffer) => void, before: Buffer, rest: Buffer, { act, happened } = harm!) => {
    isDone = true
    told.passed += before.length
    if (act === 'damage') {
      if (rest.length > 0) rest[0] = rest[0]! ^ 1
      happened()
      return next(null, Buffer.concat([before, rest]))
    }
    // What came before the cut gets out first; nothing follows it.
    meddler.push(before)
    setImmediate(() => {
      if (act === 'cut') cut()
      else act()
      happened()
    })
  }
  const meddler = new Transform({
    transform(bytes: Buffer, _encoding, next) {
      if (!harm || isDone || told.passed + bytes.length <= harm.after) {
        told.passed += bytes.length
        return next(null, bytes)
      }
      const at = harm.after - told.passed
      act(next, bytes.subarray(0, at), Buffer.from(bytes.subarray(at)))
    },
    flush(next) {
      if (harm && !isDone) return act(next as never, Buffer.alloc(0), Buffer.alloc(0)) // A body shorter than expected: its end is the place.
      told.isWhole = !harm
      next()
    },
  })
  from.pipe(meddler).pipe(to)
}
