import { defaultBodyBytes, type Endpoint } from '@lectern/contract/http/endpoint.ts'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Settings } from '../settings.ts'
import { toCallerKey } from './caller.ts'
import { createGivingWay } from './giving-way.ts'
import { type Leaving, whenClosed } from './leaving.ts'
import { Problem } from './problem.ts'
import { hasBody } from './slow-requests.ts'

interface GateOptions {
  atOnce: number
  waiting: number
  // Seconds after which refused callers come again; each gets up to twice as many, so that they do not all come at once.
  retryAfter: number
  sentence: string
  // How long a call waits in line; absent: until its turn comes.
  longestWait?: { seconds: number; sentence: string }
}

// Bounds how many calls of one kind run at once, so that one kind cannot take the whole server.
interface Gate {
  // Throws a Problem 429 where too many wait, before the call has cost anything.
  refuseIfFull(): void
  // Waits for a place and keeps it until the response has ended or its client has left. Throws a Problem 429 where too many wait, and after the
  // longest wait.
  enter(response: Leaving): Promise<void>
  // As `enter`, but keeps the place until the returned function is called. Throws a Problem where the client leaves while it waits.
  hold(response: Leaving): Promise<() => void>
  isEmpty(): boolean
}

export function createGate({ atOnce, waiting, retryAfter, sentence, longestWait }: GateOptions): Gate {
  const inside = new Set<Leaving>()
  const line = new Map<Leaving, { start: () => void; giveUp: (reason: Problem) => void }>()
  const leaveLine = (response: Leaving) => {
    line.get(response)?.giveUp(new Problem(400, 'The client left before its turn came.'))
    line.delete(response)
  }
  const leave = (response: Leaving) => {
    leaveLine(response)
    inside.delete(response)
    for (const [next, { start }] of line) {
      if (inside.size >= atOnce) return
      line.delete(next)
      inside.add(next)
      start()
    }
  }
  const tooMany = (detail: string) => new Problem(429, detail, { retryAfter: Math.ceil(retryAfter * (1 + Math.random())) })
  const refuseIfFull = () => {
    if (inside.size >= atOnce && line.size >= waiting) throw tooMany(sentence)
  }
  const waitInLine = async (response: Leaving) => {
    let timer: NodeJS.Timeout | undefined
    const turn = new Promise<void>((start, giveUp) => {
      line.set(response, { start, giveUp })
      if (longestWait)
        timer = setTimeout(() => {
          line.delete(response)
          giveUp(tooMany(longestWait.sentence))
        }, longestWait.seconds * 1_000)
    })
    await turn.finally(() => clearTimeout(timer))
  }
  const wait = async (response: Leaving) => {
    refuseIfFull()
    if (inside.size < atOnce) inside.add(response)
    else await waitInLine(response)
  }
  return {
    refuseIfFull,
    async enter(response) {
      if (response.closed) return
      whenClosed(response, () => leave(response))
      await wait(response)
    },
    async hold(response) {
      whenClosed(response, () => leaveLine(response))
      await wait(response)
      return () => leave(response)
    },
    isEmpty: () => inside.size === 0 && line.size === 0,
  }
}

/** A gate per caller, each with `atOnce` places. */
export function createShares(options: GateOptions): (caller: string, response: Leaving) => Promise<() => void> {
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

// Refuses calls of a caller beyond so many at once, until one of its responses has ended. Throws a Problem 429.
function createCallerGate(most: number, sentence: string): (caller: string, response: Leaving) => void {
  const underWay = new Map<string, number>()
  return (caller, response) => {
    if (response.closed) return
    const count = underWay.get(caller) ?? 0
    if (count >= most) throw new Problem(429, sentence, { retryAfter: 1, isQuota: true })
    underWay.set(caller, count + 1)
    whenClosed(response, () => {
      const left = underWay.get(caller)! - 1
      if (left > 0) underWay.set(caller, left)
      else underWay.delete(caller)
    })
  }
}

/** The most places that one organization of several may have. */
const half = (places: number): number => Math.ceil(places / 2)
/** The most of an organization's places that one account of several may have. With more, it would occupy every core of a small server. */
const third = (places: number): number => Math.ceil(places / 3)

/** By organization, 0 for all: since when reports of host PCs are refused because too many came, in milliseconds of `performance.now()`. */
export type RefusedReports = Map<number, number>

/**
 * Who pays for a call (FAI-02): its account, else its host PC, else its licence; and the organization of these. A caller without an
 * organization pays alone, by account or address; `account` is null then.
 */
interface Payers {
  organizationId: number | null
  organization: string
  account: string | null
}

function findPayers(organizationId: number | null, { caller, ip }: Pick<FastifyRequest, 'caller' | 'ip'>): Payers {
  const account = toCallerKey(caller) || `address ${ip}`
  return organizationId === null
    ? { organizationId, organization: account, account: null }
    : { organizationId, organization: `organization ${organizationId}`, account }
}

/** Places that count twice: an organization has at most half of all, an account at most a third of those. Other calls wait. */
function createPlaces(options: GateOptions, onRefused?: (organizationId: number | null, error: unknown) => void) {
  const [ofOrganization, ofAccount] = [half(options.atOnce), third(half(options.atOnce))]
  const organizations = createShares({ ...options, atOnce: ofOrganization })
  const accounts = createShares({ ...options, atOnce: ofAccount })
  return async ({ organizationId, organization, account }: Payers, response: Leaving): Promise<() => void> => {
    // The account's place is taken first: few calls of one account then wait for the organization's places, so a colleague is served soon.
    const leaveAccount = account === null ? () => {} : await accounts(`${organization} ${account}`, response)
    const leaveOrganization = await organizations(organization, response).catch((error: unknown) => {
      leaveAccount()
      onRefused?.(organizationId, error)
      throw error
    })
    return () => {
      leaveOrganization()
      leaveAccount()
    }
  }
}

/**
 * Places for kinds of calls that took an account long lately: each occupies a core of the database, so an account has one of them at once,
 * beside its places for all calls.
 */
function createSlowPlaces() {
  const places = createShares({ ...callGate, atOnce: 1 })
  const slow = new LRUCache<string, true>({ max: mostSlow, ttl: slowForMs })
  return async ({ method, path }: Pick<Endpoint, 'method' | 'path'>, { organization, account }: Payers, response: Leaving) => {
    const payer = `${organization} ${account}`
    const kind = `${payer} ${method} ${path}`
    const leave = slow.has(kind) ? await places(payer, response) : () => {}
    // Called with the time that the call took from when it had all its places, in milliseconds.
    return (tookMs: number) => {
      if (tookMs > slowMs) slow.set(kind, true)
      leave()
    }
  }
}

const reportGate = {
  atOnce: 3,
  waiting: 200,
  retryAfter: 5,
  sentence: 'Too many host PCs report at once. Try again in a moment.',
}
// One place for large reports is left to other organizations.
const [mostLargeReports, mostLargeOfOrganization] = [4, 3]
// A page of a list takes some 20 ms.
const slowMs = 250
const slowForMs = 10_000
const mostSlow = 10_000
const callGate = { waiting: 1_000, retryAfter: 1, sentence: 'Too much is asked at once. Try again in a moment.' }
/** Connections to the database: those that see one organization, and those that see several. */
export const connections = { own: 18, crossing: 8 }
// Each file holds a connection until its client has read it. There are 10 connections for files. Whole lists use those of all calls, so
// they must leave some to others.
const mostFiles = 10
// Each takes a core of the database, so those of an account are sent one after another.
const fileGate = {
  waiting: 4,
  // So long that the web shows the sentence instead of trying again.
  retryAfter: 61,
  sentence: 'An account may have at most four exports that wait for another one.',
}
const exportIsSent = 'Another export of your account is still being sent. Export again once it is complete.'
const [mostLists, mostCrossingLists] = [10, 4]
const mostListsOfOrganization = 2
// Pieces hold no connection. A host PC fetches for several readers at once.
const mostPieces = 8

/**
 * What a call counts as. `report`: what host PCs ask and report; they are many and can wait (SCL-10). `stream`: of events. `file`: holds a
 * connection until its client has read it. `piece`: a piece of a file that is on the disk. `call`: the rest.
 */
type GateName = 'call' | 'file' | 'piece' | 'report' | 'stream'

// Types of files that are read from the database while the client reads them.
const fileTypes = new Set(['text/csv; charset=utf-8', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'])

/** Every endpoint has one (FAI-01). */
export function findGate({ access, events, download, inPieces }: Pick<Endpoint, 'access' | 'events' | 'download' | 'inPieces'>): GateName {
  if (events) return 'stream'
  if (inPieces) return 'piece'
  if (download && fileTypes.has(download.contentType)) return 'file'
  return access === 'agent' ? 'report' : 'call'
}

// Large bodies are kept in memory while they wait, so few are read at once.
const hasLargeBody = ({ raw, headers }: FastifyRequest): boolean => hasBody(raw) && !(Number(headers['content-length']) <= defaultBodyBytes)

// Whether people read the response. What holds a connection until its client has read it has no bound of time.
export const isRead = ({ access, method, events, download, whole }: Endpoint): boolean =>
  method === 'GET' && (access === 'self' || typeof access === 'object') && !events && !download && !whole

export type Gates = ReturnType<typeof createGates>

// Bounds what a caller, and an organization, have under way at once.
export function createGates(
  { bodiesAtOnce, exportWait, quotas }: Pick<Settings, 'bodiesAtOnce' | 'exportWait' | 'quotas'>,
  refused: RefusedReports = new Map(),
) {
  const remember = (organizationId: number | null, error: unknown): void => {
    const isFull = error instanceof Problem && error.status === 429
    if (isFull && organizationId !== null && !refused.has(organizationId)) refused.set(organizationId, performance.now())
  }
  const remembering = async (organizationId: number | null, enter: () => Promise<void> | void): Promise<void> => {
    try {
      await enter()
    } catch (error) {
      remember(organizationId, error)
      throw error
    }
  }
  const [reports, large] = [createGate(reportGate), createGate({ ...reportGate, atOnce: mostLargeReports })]
  const reportPlaces = createPlaces(reportGate, remember)
  const largeOfOrganization = createShares({ ...reportGate, atOnce: mostLargeOfOrganization })
  const calls = createPlaces({ ...callGate, atOnce: connections.own })
  const crossingCalls = createPlaces({ ...callGate, atOnce: connections.crossing })
  const pieces = createShares({ ...callGate, atOnce: mostPieces })
  const lists = createGate({ ...callGate, atOnce: mostLists, waiting: 0 })
  const crossingLists = createGate({ ...callGate, atOnce: mostCrossingLists, waiting: 0 })
  const bodies = createCallerGate(bodiesAtOnce, `Send at most ${bodiesAtOnce} bodies at once. Try again in a moment.`)
  const streams = createCallerGate(quotas.streamsPerAccount, `An account may have at most ${quotas.streamsPerAccount} event streams open.`)
  const slowCalls = createSlowPlaces()
  const givingWay = createGivingWay()
  const ofOrganization = half(mostFiles)
  const exports = createCallerGate(ofOrganization, `An organization may have at most ${ofOrganization} exports sent at once.`)
  const filesOfAccount = createShares({ ...fileGate, atOnce: 1, longestWait: { seconds: exportWait, sentence: exportIsSent } })
  const sentenceOfLists = 'without pages sent at once. Ask for pages, or try again in a moment.'
  const listsOfOrganization = createCallerGate(
    mostListsOfOrganization,
    `An organization may have ${mostListsOfOrganization} lists ${sentenceOfLists}`,
  )
  const listsOfAccount = createCallerGate(1, `An account may have one list ${sentenceOfLists}`)
  return {
    giveWay: givingWay.giveWay,
    // Called before the body is read.
    async admit(endpoint: Endpoint, request: FastifyRequest, response: Leaving): Promise<void> {
      const who = toCallerKey(request.caller) || `address ${request.ip}`
      if (endpoint.body || endpoint.upload) bodies(who, response)
      if (endpoint.events) streams(who, response)
      if (findGate(endpoint) !== 'report') return
      await remembering(0, reports.refuseIfFull)
      if (!hasLargeBody(request)) return
      const { caller } = request
      const organizationId = caller && 'organizationId' in caller ? caller.organizationId : null
      await remembering(organizationId, async () =>
        whenClosed(response, await largeOfOrganization(findPayers(organizationId, request).organization, response)),
      )
      await remembering(0, () => large.enter(response))
    },
    // Returns a function for when the call was handled: its statement runs on when its client leaves. A body that comes slowly holds no
    // place. `payer`: the organization that pays; null: none.
    async enter(
      endpoint: Endpoint,
      { payer, isCrossing }: { payer: number | null; isCrossing: boolean },
      request: FastifyRequest,
      response: Leaving,
    ): Promise<() => void> {
      const payers = findPayers(payer, request)
      switch (findGate(endpoint)) {
        case 'call': {
          const leaveSlow = await slowCalls(endpoint, payers, response)
          const leave = await (isCrossing ? crossingCalls : calls)(payers, response).catch((error: unknown) => {
            leaveSlow(0)
            throw error
          })
          const began = performance.now()
          const end = givingWay.begin()
          let isOver = false
          return () => {
            if (isOver) return
            isOver = true
            end()
            leave()
            leaveSlow(performance.now() - began)
          }
        }
        case 'file':
          whenClosed(response, await filesOfAccount(`${payers.organization} ${payers.account}`, response))
          exports(payers.organization, response)
          return () => {}
        case 'piece':
          return pieces(payers.account ?? payers.organization, response)
        case 'report': {
          const leave = await reportPlaces(payers, response)
          await remembering(0, () => reports.enter(response)).catch((error: unknown) => {
            leave()
            throw error
          })
          return leave
        }
        case 'stream':
          return () => {}
      }
    },
    // For a list without pages (FAI-06).
    async enterList(organizationId: number | null, request: FastifyRequest, response: Leaving): Promise<void> {
      const { organization, account } = findPayers(organizationId, request)
      listsOfAccount(account ?? organization, response)
      if (account !== null) listsOfOrganization(organization, response)
      await (organizationId === null ? crossingLists : lists).enter(response)
    },
  }
}
