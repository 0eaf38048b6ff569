import type { Arguments, Response } from '@lectern/contract/endpoints.ts'
import { readShaped, type Shape } from '@lectern/contract/http/shape.ts'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useApi } from './api.ts'
import type { EndpointName } from './endpoints.ts'
import { followEvents } from './event-stream.ts'
import { loadShape } from './fetch.ts'
import { q } from './query.ts'

/** Milliseconds between reads while there is no stream. */
const pollEvery = 10_000

type Live<T> = UseQueryResult<T> & {
  isLost: boolean
}

/**
 * A read that an event stream keeps up to date. Without a stream it reads every 10 s. A hidden page follows no stream, as browsers open few
 * connections to one server.
 */
export function useLive<N extends EndpointName>(name: N, stream: EndpointName, args: Arguments<N>): Live<Response<N>> {
  const { open } = useApi()
  const client = useQueryClient()
  const [isLost, setLost] = useState(false)
  const isVisible = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible')
  const query = useQuery({ ...q(name, args), staleTime: Number.POSITIVE_INFINITY, refetchInterval: isLost ? pollEvery : false })
  const key = JSON.stringify(args)

  useEffect(() => {
    if (!isVisible) return
    const stop = new AbortController()
    const current = JSON.parse(key) as Arguments<N>
    let shape: Shape | undefined
    const onData = (data: string) => {
      const { queryKey } = q(name, current)
      const newest = readShaped(shape!, JSON.parse(data)) as never
      setLost(false)
      // A read that is under way is cancelled, as it would replace this newer state by an older one.
      void client.cancelQueries({ queryKey }).then(() => client.setQueryData(queryKey, newest))
    }
    const openStream: Parameters<typeof followEvents>[0] = async (options) => {
      shape = await loadShape(name)
      return open(stream, current as never, options)
    }
    void followEvents(openStream, { onData, onLost: () => setLost(true), signal: stop.signal })
    return () => stop.abort()
  }, [open, client, name, stream, key, isVisible])

  return { ...query, isLost }
}

/** Counts a stream's events; each says that something may have changed. A hidden page follows no stream. */
export function useEventCount<N extends EndpointName>(stream: N, args: Arguments<N>): number {
  const { open } = useApi()
  const [count, setCount] = useState(0)
  const isVisible = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible')
  const key = JSON.stringify(args)
  useEffect(() => {
    if (!isVisible) return
    const stop = new AbortController()
    const openStream: Parameters<typeof followEvents>[0] = (options) => open(stream, JSON.parse(key) as never, options)
    void followEvents(openStream, { onData: () => setCount((now) => now + 1), onLost: () => {}, signal: stop.signal })
    return () => stop.abort()
  }, [open, stream, key, isVisible])
  return count
}

type Read = Pick<UseQueryResult, 'isFetching' | 'refetch'>

/** Reads again at each version after the first, one read at a time. Changes during a read are read after it, together. */
export function useReadAgain({ isFetching, refetch }: Read, version: string | number | undefined): void {
  const read = useRef(version)
  useEffect(() => {
    read.current ??= version
    if (isFetching || read.current === version) return
    read.current = version
    void refetch({ cancelRefetch: false })
  }, [isFetching, refetch, version])
}

function onVisibility(notify: () => void): () => void {
  document.addEventListener('visibilitychange', notify)
  return () => document.removeEventListener('visibilitychange', notify)
}
