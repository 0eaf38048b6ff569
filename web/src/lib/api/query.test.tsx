// @vitest-environment jsdom
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ApiProvider } from './api.ts'
import { type Api, createApi } from './fetch.ts'
import { createQueryClient, invalidateBelow, q, useMutation } from './query.ts'

const params = { organizationId: 'o' }
const zones: { id: string; name: string; organizationId: string }[] = []
const seen: IncomingMessage[] = []
let broken = 0
let api: Api

const server = createServer((request, answer) => {
  seen.push(request)
  if (broken > 0) {
    broken -= 1
    answer.writeHead(503, { 'content-type': 'application/json' }).end('{"type":"about:blank","title":"Down","status":503}')
    return
  }
  const zone = { id: String(zones.length), name: 'ICU', organizationId: 'o' }
  if (request.method === 'POST') zones.push(zone)
  answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(request.method === 'POST' ? zone : zones))
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const tokens = { get: async () => 'token', renew: async () => 'token', refused: () => {}, needsPasskey: () => {} }
  api = createApi({ tokens, base, backOff: 1 })
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})
afterEach(() => {
  cleanup()
  seen.length = 0
  zones.length = 0
  broken = 0
})

function stand() {
  const failures: Error[] = []
  const client = createQueryClient(api, (error) => failures.push(error))
  const wrapper = ({ children }: { children: ReactNode }) => (
    <ApiProvider value={api}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </ApiProvider>
  )
  return { client, failures, wrapper }
}

test('[FET-07] the cache keeps unused data 60 s', () => {
  const { client } = stand()
  expect(client.defaultQueryOptions(q('listZones', { params })).gcTime).toBe(60_000)
})

test('a read comes from the API, and a write makes the reads stale that show what it changes', async () => {
  const { wrapper } = stand()
  const { result } = renderHook(() => ({ list: useQuery(q('listZones', { params })), create: useMutation('createZone') }), { wrapper })
  await waitFor(() => expect(result.current.list.data).toEqual([]))
  await act(() => result.current.create.mutateAsync({ params: { ...params, location: 'ICU' } }))
  await waitFor(() => expect(result.current.list.data).toHaveLength(1))
})

test('[FET-05] a submission carries one Idempotency-Key through its repetitions, another one its own', async () => {
  const { wrapper } = stand()
  const { result } = renderHook(() => useMutation('createZone'), { wrapper })
  broken = 2
  await act(() => result.current.mutateAsync({ params: { ...params, location: 'ICU' } }))
  await act(() => result.current.mutateAsync({ params: { ...params, location: 'ER' } }))
  const [first, second, third, other] = seen.map(({ headers }) => headers['idempotency-key'])
  expect(first).toMatch(/^[0-9a-f-]{36}$/)
  expect([second, third]).toEqual([first, first])
  expect(other).not.toBe(first)
})

test('a submission made again by hand keeps the key it is given', async () => {
  const { wrapper } = stand()
  const { result } = renderHook(() => useMutation('createZone'), { wrapper })
  await act(() => result.current.mutateAsync({ params: { ...params, location: 'ICU' }, idempotencyKey: 'mine' }))
  expect(seen[0]?.headers['idempotency-key']).toBe('mine')
})

test('a failed write is told once, unless the screen shows it in place', async () => {
  const { wrapper, failures } = stand()
  const { result } = renderHook(() => ({ told: useMutation('createZone'), shown: useMutation('createZone', { errorInPlace: true }) }), {
    wrapper,
  })
  broken = 12
  const args = { params: { ...params, location: 'ICU' } }
  await act(() => result.current.shown.mutateAsync(args).catch(() => {}))
  expect(failures).toEqual([])
  await act(() => result.current.told.mutateAsync(args).catch(() => {}))
  expect(failures.map(({ message }) => message)).toEqual(['Down'])
})

test('reads below a path become stale, others stay', async () => {
  const { client } = stand()
  const [inside, outside] = [q('listZones', { params }), q('getCurrentUser', {})]
  client.setQueryData(inside.queryKey, [])
  const person = { userId: 'a@b.example', email: 'a@b.example', organizationId: ['o'], permissions: [] }
  client.setQueryData(outside.queryKey, { ...person, group: null, phone: null, countryCode: null, firstName: null, lastName: null })
  await invalidateBelow(client, '/api/codedm/')
  expect(client.getQueryState(inside.queryKey)?.isInvalidated).toBe(true)
  expect(client.getQueryState(outside.queryKey)?.isInvalidated).toBe(false)
})
