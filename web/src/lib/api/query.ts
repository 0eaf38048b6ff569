import type { Arguments, Response } from '@lectern/contract/endpoints.ts'
import type { Subject } from '@lectern/contract/http/subjects.ts'
import {
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
  type UseMutationOptions,
  type UseMutationResult,
  useQueryClient,
  useMutation as useTanstackMutation,
} from '@tanstack/react-query'
import { useApi } from './api.ts'
import { CallError } from './call-error.ts'
import { type EndpointName, endpoints } from './endpoints.ts'
import type { Api } from './fetch.ts'

/** Milliseconds for which unused data is cached (spec §9). */
const unusedFor = 60_000

export interface ReadListener {
  onRead(name: EndpointName, reply: unknown): void
  onFailedRead(name: EndpointName, error: Error): void
}

/** The fetch layer retries, so this library does not. `onFailedAction`: called for each failed write whose error is not shown in place. */
export function createQueryClient(api: Api, onFailedAction: (error: Error) => void, listener?: ReadListener): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onSuccess: (reply, { queryKey: [name] }) => listener?.onRead(name as EndpointName, reply),
      onError: (error, { queryKey: [name] }) => listener?.onFailedRead(name as EndpointName, error),
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (!mutation.meta?.errorInPlace) onFailedAction(error)
      },
    }),
    defaultOptions: {
      queries: {
        gcTime: unusedFor,
        retry: false,
        queryFn: ({ queryKey: [name, args], signal }) => api.call(name as EndpointName, args as never, { signal }),
      },
      mutations: { retry: false },
    },
  })
}

/** A read for the query library's hooks: `useQuery(q('listZones', { params: { organizationId } }))`. */
export function q<N extends EndpointName>(name: N, args: Arguments<N>) {
  return queryOptions<Response<N>>({ queryKey: [name, args] })
}

export interface Submission {
  /** Given where a submission that the user repeats must count once; absent: a new key per submission. */
  idempotencyKey?: string
}

type Options<N extends EndpointName> = Omit<UseMutationOptions<Response<N>, Error, Arguments<N> & Submission>, 'mutationFn' | 'meta'> & {
  /** Resolves only after the reads on the screen that the write made stale were read again. */
  awaitReads?: boolean
  /** The screen shows the error itself, so no toast appears. */
  errorInPlace?: boolean
}

/** Each submission has one Idempotency-Key, for all its repetitions (spec §7). */
export function useMutation<N extends EndpointName>(
  name: N,
  { awaitReads = false, errorInPlace = false, ...options }: Options<N> = {},
): UseMutationResult<Response<N>, Error, Arguments<N> & Submission> {
  const { call } = useApi()
  const client = useQueryClient()
  return useTanstackMutation({
    ...options,
    meta: { errorInPlace },
    mutationFn: async ({ idempotencyKey = crypto.randomUUID(), ...args }) => {
      try {
        const response = await call(name, args as unknown as Arguments<N>, { idempotencyKey })
        const reads = markStale(client, name)
        if (awaitReads) await reads
        return response
      } catch (error) {
        // Another user may have changed the record first.
        if (error instanceof CallError && [404, 409, 412].includes(Number(error.status))) void markStale(client, name)
        throw error
      }
    },
  })
}

/** Marks every read stale that shows what the write changes. Every write changes the audit log. */
export function markStale(client: QueryClient, write: EndpointName): Promise<void> {
  const changed = new Set<Subject>(['audit', ...(endpoints[write]?.changes ?? [])])
  return client.invalidateQueries({
    predicate: ({ queryKey: [name] }) => endpoints[name as EndpointName]?.shows?.some((subject) => changed.has(subject)) ?? false,
  })
}

/** Marks reads below a path stale, such as `/api/codedm/`. */
export function invalidateBelow(client: QueryClient, path: string): Promise<void> {
  return client.invalidateQueries({ predicate: ({ queryKey: [name] }) => endpoints[name as EndpointName]?.path.startsWith(path) ?? false })
}
