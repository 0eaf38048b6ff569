import { type FetchQueryOptions, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError } from '../api/call-error.ts'

export interface Edit<Basis, Newest extends Basis = Basis> {
  /** The record with which the edit began; its write gives it as `basedOn`. */
  basis: Basis | undefined
  isOutdated: boolean
  /** Returns whether the write failed as another user has changed the record. */
  fail: (error: unknown) => boolean
  /** Reads the record again and bases the edit on that. */
  renew: () => Promise<Newest>
  /** As `renew`, for a new edit. */
  restart: () => Promise<Newest>
  /** Continues an edit that began with `basis`. */
  resume: (basis: Basis) => void
}

/** An edit that is based on `record` as it is first known. `read` reads it again. */
export function useEdit<Basis extends object, Newest extends Basis, Key extends QueryKey>(
  record: Basis | null | undefined,
  read: FetchQueryOptions<Newest, Error, Newest, Key>,
): Edit<Basis, Newest> {
  const client = useQueryClient()
  const [basis, setBasis] = useState(record ?? undefined)
  const [isOutdated, setOutdated] = useState(false)
  // The user edits the first read, not a later one.
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
    resume: setBasis,
  }
}
