import { type FetchQueryOptions, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError } from '../api/call-error.ts'

/** Somebody's edit of a record that others may edit at the same time. */
export interface Edit<Basis, Newest extends Basis = Basis> {
  /** The record that the edit began with, which its write names as `basedOn`. */
  basis: Basis | undefined
  /** Whether the write was refused, because somebody else has changed the record since. */
  isOutdated: boolean
  /** Told of a write that failed; answers whether that was why. */
  fail: (error: unknown) => boolean
  /** Reads the record as it is now, which is what the edit is based on from then on. */
  renew: () => Promise<Newest>
  /** The same for an edit that begins anew. */
  restart: () => Promise<Newest>
}

/** Keeps what an edit is based on: `record` as it is first known. `read` reads it again. */
export function useEdit<Basis extends object, Newest extends Basis, Key extends QueryKey>(
  record: Basis | null | undefined,
  read: FetchQueryOptions<Newest, Error, Newest, Key>,
): Edit<Basis, Newest> {
  const client = useQueryClient()
  const [basis, setBasis] = useState(record ?? undefined)
  const [isOutdated, setOutdated] = useState(false)
  // What is read again meanwhile is not what somebody is editing.
  if (record && basis === undefined) setBasis(record)
  async function renew() {
    const newest = await client.fetchQuery({ ...read, staleTime: 0 })
    setBasis(newest)
    return newest
  }
  return {
    basis,
    isOutdated,
    fail(error) {
      const isWhy = error instanceof CallError && error.status === 412
      setOutdated(isWhy)
      return isWhy
    },
    renew,
    async restart() {
      const newest = await renew()
      setOutdated(false)
      return newest
    },
  }
}
