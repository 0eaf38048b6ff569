import type { ServerResponse } from 'node:http'
import { defaultBodyBytes, type Endpoint } from '@lectern/contract/http/endpoint.ts'
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../settings.ts'
import { type Caller, toCallerKey } from './caller.ts'
import { Problem } from './problem.ts'
import { hasBody } from './slow-requests.ts'

interface GateOptions {
  atOnce: number
  waiting: number
  // Seconds after which those that find no place come again; up to twice as many, so that they do not come together.
  retryAfter: number
  sentence: string
}

// Keeps one kind of caller from taking the whole server.
interface Gate {
  // Throws a Problem 429 where too many wait, before whoever comes has cost anything.
  refuseIfFull(): void
  // Waits for a place, and keeps it until the response has ended or its client has left. Throws a Problem 429 where too many wait.
  enter(response: ServerResponse): Promise<void>
  // As `enter`, but keeps the place until the function that it returns is called.
  hold(response: ServerResponse): Promise<() => void>
  isEmpty(): boolean
}

export function createGate({ atOnce, waiting, retryAfter, sentence }: GateOptions): Gate {
  const inside = new Set<ServerResponse>()
  const line = new Map<ServerResponse, () => void>()
  const leave = (response: ServerResponse) => {
    line.delete(response)
    inside.delete(response)
    for (const [next, start] of line) {
      if (inside.size >= atOnce) return
      line.delete(next)
      inside.add(next)
      start()
    }
  }
  const refuseIfFull = () => {
    if (inside.size >= atOnce && line.size >= waiting)
      throw new Problem(429, sentence, { retryAfter: Math.ceil(retryAfter * (1 + Math.random())) })
  }
  const wait = async (response: ServerResponse) => {
    refuseIfFull()
    if (inside.size < atOnce) inside.add(response)
    else await new Promise<void>((resolve) => line.set(response, resolve))
  }
  return {
    refuseIfFull,
    async enter(response) {
      if (response.closed) return
      refuseIfFull()
      response.once('close', () => leave(response))
      await wait(response)
    },
    async hold(response) {
      response.once('close', () => line.delete(response))
      await wait(response)
      return () => leave(response)
    },
    isEmpty: () => inside.size === 0 && line.size === 0,
  }
}

// A gate for each caller: `atOnce` is the share of one.
function createShares(options: GateOptions): (caller: string, response: ServerResponse) => Promise<() => void> {
  const gates = new Map<string, Gate>()
  return async (caller, response) => {
    const gate = gates.get(caller) ?? createGate(options)
    gates.set(caller, gate)
    const leave = await gate.hold(response)
    return () => {
      leave()
      if (gate.isEmpty()) gates.delete(caller)
    }
  }
}

// Refuses what a caller asks beyond so many at once, until one of its responses has ended. Throws a Problem 429.
function createCallerGate(most: number, sentence: string): (caller: string, response: ServerResponse) => void {
  const underWay = new Map<string, number>()
  return (caller, response) => {
    if (response.closed) return
    const count = underWay.get(caller) ?? 0
    if (count >= most) throw new Problem(429, sentence, { retryAfter: 1, isQuota: true })
    underWay.set(caller, count + 1)
    response.once('close', () => {
      const left = underWay.get(caller)! - 1
      if (left > 0) underWay.set(caller, left)
      else underWay.delete(caller)
    })
  }
}

const reportGate = {
  ...{ atOnce: 3, waiting: 200, retryAfter: 5 },
  sentence: 'Too many host PCs report at once. Try again in a moment.',
}
// One of these is left to other organizations.
const [mostLargeReports, mostLargeOfOrganization] = [4, 3]
const readGate = { waiting: 1_000, retryAfter: 1, sentence: 'Too much is read at once. Try again in a moment.' }
// Half of the connections for rows of one organization, and for those of several.
const [mostReads, mostCrossingReads] = [9, 4]
// Each holds a connection of the database until its client has read it. There are 10 for files; whole lists have those of all calls, 18 and 8, and so leave
// some to others.
const mostFiles = 5
const [mostLists, mostCrossingLists] = [10, 4]

// What host PCs ask and report in passing. There are many more of them than people, and they can wait (SCL-10).
const isReport = ({ access, events, download }: Endpoint): boolean => access === 'agent' && !events && !download

// Those are kept in memory while they wait, so few are read at once.
const hasLargeBody = ({ raw, headers }: FastifyRequest): boolean => hasBody(raw) && !(Number(headers['content-length']) <= defaultBodyBytes)

// What people read. What takes a connection until its client has read it is counted by itself.
export const isRead = ({ access, method, events, download, whole }: Endpoint): boolean =>
  method === 'GET' && (access === 'self' || typeof access === 'object') && !events && !download && !whole

const toPayer = (organizationId: number | null, caller: Caller): string =>
  organizationId === null ? toCallerKey(caller) : `organization ${organizationId}`

export type Gates = ReturnType<typeof createGates>

// What a caller, and an organization, may have under way at once.
export function createGates({ bodiesAtOnce, quotas }: Pick<Settings, 'bodiesAtOnce' | 'quotas'>) {
  const [reports, large] = [createGate(reportGate), createGate({ ...reportGate, atOnce: mostLargeReports })]
  const largeOfOrganization = createShares({ ...reportGate, atOnce: mostLargeOfOrganization })
  const reads = createShares({ ...readGate, atOnce: mostReads })
  const crossingReads = createShares({ ...readGate, atOnce: mostCrossingReads })
  const lists = createGate({ ...readGate, atOnce: mostLists, waiting: 0 })
  const crossingLists = createGate({ ...readGate, atOnce: mostCrossingLists, waiting: 0 })
  const bodies = createCallerGate(bodiesAtOnce, `Send at most ${bodiesAtOnce} bodies at once. Try again in a moment.`)
  const streams = createCallerGate(quotas.streamsPerAccount, `An account may have at most ${quotas.streamsPerAccount} event streams open.`)
  const files = createCallerGate(mostFiles, `An organization may have at most ${mostFiles} CSV files or whole lists sent at once.`)
  return {
    // Before the body is read.
    async admit(endpoint: Endpoint, request: FastifyRequest, response: ServerResponse): Promise<void> {
      const who = toCallerKey(request.caller) || `address ${request.ip}`
      if (endpoint.body || endpoint.upload) bodies(who, response)
      if (endpoint.events) streams(who, response)
      if (!isReport(endpoint)) return
      reports.refuseIfFull()
      if (!hasLargeBody(request)) return
      const { caller } = request
      const organizationId = caller && 'organizationId' in caller ? caller.organizationId : null
      response.once('close', await largeOfOrganization(toPayer(organizationId, caller), response))
      await large.enter(response)
    },
    // Returns what is to be called once the call has been handled: when its client leaves, its statement runs on. A body that comes slowly takes no
    // place. `organizationId` null: of several organizations.
    async enter(endpoint: Endpoint, organizationId: number | null, request: FastifyRequest, response: ServerResponse): Promise<() => void> {
      if (isReport(endpoint)) await reports.enter(response)
      if (!isRead(endpoint)) return () => {}
      return (organizationId === null ? crossingReads : reads)(toPayer(organizationId, request.caller), response)
    },
    enterFile: (organizationId: number | null, { caller }: FastifyRequest, response: ServerResponse): void =>
      files(toPayer(organizationId, caller), response),
    async enterList(organizationId: number | null, { caller }: FastifyRequest, response: ServerResponse): Promise<void> {
      files(toPayer(organizationId, caller), response)
      await (organizationId === null ? crossingLists : lists).enter(response)
    },
  }
}
