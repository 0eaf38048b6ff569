import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { useApi } from '../lib/api/api.ts'
import { CallError, type CallStatus } from '../lib/api/call-error.ts'
import { markStale } from '../lib/api/query.ts'
import { onLeaving, storeUnsent } from '../lib/files/leaving.ts'
import { useSession } from '../lib/session.ts'
import { useOnline } from '../ui/online.ts'
import { type Desk, type Event, newDesk, step } from './desk-state.ts'
import { type Keeper, openKeeper } from './keeping.ts'

/**
 * `elsewhere`: another tab has the desk. `failed`: the server gave no key. `forgetful`: this browser keeps nothing, or nothing that can be read.
 * `left`: the account signed out.
 */
export type Opening = 'opening' | 'open' | 'elsewhere' | 'failed' | 'forgetful' | 'left'

/** Milliseconds until a record that could not be sent is sent again. */
const pause = 5_000

export function useDesk(): { desk: Desk; dispatch: (event: Event) => void; opening: Opening; retry: () => void } {
  const [desk, dispatch] = useReducer(step, newDesk)
  const { opening: opened, keeper, retry } = useKeeper(dispatch)
  const [isLosing, setLosing] = useState(false)
  const opening = opened === 'open' && isLosing ? 'forgetful' : opened
  const userId = useSession().user?.id
  const organizationId = useOrganization()
  const { unsent } = desk
  const last = useRef(Promise.resolve())
  const newest = useRef<Desk | null>(null)
  const count = unsent.length
  useEffect(() => {
    if (!keeper || opened !== 'open') return
    // Each waits for the one before, and stores what is the newest by then.
    newest.current = desk
    const store = async () => {
      const taken = newest.current
      if (!taken) return
      newest.current = null
      try {
        await keeper.store(taken)
        setLosing(false)
      } catch (error) {
        reportError(error)
        setLosing(true)
      }
    }
    last.current = last.current.then(store)
  }, [desk, keeper, opened])
  useEffect(() => {
    // Records that are kept and cannot be read count as before.
    if (userId !== undefined && (opening === 'open' || (opening === 'forgetful' && count > 0))) storeUnsent(userId, organizationId, count)
  }, [userId, organizationId, count, opening])
  useSending(desk, dispatch, opening === 'open' || opening === 'forgetful')
  return { desk, dispatch, opening, retry }
}

function useKeeper(dispatch: (event: Event) => void) {
  const { call } = useApi()
  const organizationId = useOrganization()
  const userId = useSession().user?.id
  const [opening, setOpening] = useState<Opening>('opening')
  const [keeper, setKeeper] = useState<Keeper | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (userId === undefined) return
    const left = new AbortController()
    const { promise: whenLeft, resolve: release } = Promise.withResolvers<void>()
    let stopListening = () => {}
    setOpening('opening')
    const open = async () => {
      const { key } = await call('getDeskKey', { params: { organizationId } }, { signal: left.signal })
      const made = await openKeeper(userId, organizationId, key).catch(() => null)
      if (left.signal.aborted) return
      stopListening = onLeaving(userId, () => {
        left.abort()
        made?.close()
        dispatch({ type: 'restore', desk: newDesk })
        setKeeper(null)
        setOpening('left')
        release()
      })
      const kept = made && (await made.load().catch(() => undefined))
      if (left.signal.aborted) return
      if (kept) dispatch({ type: 'restore', desk: kept })
      setKeeper(made)
      setOpening(made && kept !== undefined ? 'open' : 'forgetful')
    }
    const failed = () => {
      if (!left.signal.aborted) setOpening('failed')
    }
    // Two tabs would store over each other.
    if (navigator.locks === undefined) open().catch(failed)
    else {
      // A tab that has just left it may hold it a moment longer.
      const signal = AbortSignal.any([left.signal, AbortSignal.timeout(1_000)])
      const hold = async () => {
        if (left.signal.aborted) return
        await open().catch(failed)
        await whenLeft
      }
      navigator.locks.request(`desk ${userId} ${organizationId}`, { signal }, hold).catch(() => {
        if (!left.signal.aborted) setOpening('elsewhere')
      })
    }
    return () => {
      left.abort()
      stopListening()
      release()
    }
  }, [call, organizationId, userId, dispatch, attempt])
  return { opening, keeper, retry: () => setAttempt((before) => before + 1) }
}

/** Whether the server would refuse it again. An ended session and too many calls pass. */
const isRefusal = (status: CallStatus): boolean =>
  typeof status === 'number' && status >= 400 && status < 500 && ![401, 408, 429].includes(status)

/** Sends unsent records, the oldest first, each under its id, so that none is stored twice. */
function useSending({ unsent, rows }: Desk, dispatch: (event: Event) => void, isOpen: boolean): void {
  const { call } = useApi()
  const client = useQueryClient()
  const organizationId = useOrganization()
  const isOnline = useOnline()
  const [attempt, setAttempt] = useState(0)
  const failed = new Set(rows.flatMap(({ id, failure }) => (failure === undefined ? [] : [id])))
  const next = unsent.find(({ id }) => !failed.has(id))
  const id = next?.id
  const send = useEffectEvent(async (signal: AbortSignal) => {
    if (!next) return
    try {
      await call('createDeskRecord', { params: { organizationId }, body: next }, { signal })
      dispatch({ type: 'stored', id: next.id })
      void markStale(client, 'createDeskRecord')
    } catch (error) {
      if (signal.aborted) return
      const isForGood = error instanceof CallError && isRefusal(error.status)
      if (isForGood) dispatch({ type: 'notStored', id: next.id, failure: error.message })
      else setTimeout(() => setAttempt((before) => before + 1), pause)
    }
  })
  useEffect(() => {
    if (!isOpen || !isOnline || id === undefined) return
    const left = new AbortController()
    void send(left.signal)
    return () => left.abort()
  }, [isOpen, isOnline, id, attempt])
}
