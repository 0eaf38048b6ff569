import { connect } from 'node:net'
import { endpoints } from '@lectern/contract/endpoints.ts'
import { expect, onTestFinished, test } from 'vitest'
import { serverForFile } from '../../testing/server.ts'
import { until } from '../../testing/until.ts'
import { createRefusalDelays } from './paced-refusals.ts'

const server = await serverForFile()

test('[FAI-02] a caller’s refusals of a second cost no time up to a hundred, then a millisecond more each; others pay nothing', () => {
  const findDelay = createRefusalDelays()
  const delays = Array.from({ length: 1_500 }, () => findDelay('address 192.0.2.1'))
  expect(new Set(delays.slice(0, 100))).toEqual(new Set([0]))
  expect(delays.slice(100, 104)).toEqual([1, 2, 3, 4])
  expect(Math.max(...delays)).toBe(1_000)
  expect(findDelay('user 1')).toBe(0)
})

test('[FAI-02] invented credentials are refused later and later, while a good one is answered', async () => {
  const { manager, organization } = await server.zone()
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)
  const ask = (index: number) =>
    `GET ${endpoints.getCurrentUser.path} HTTP/1.1\r\nhost: portal\r\nauthorization: Bearer invented${index}\r\n\r\n`
  const began = performance.now()
  socket.write(Array.from({ length: 140 }, (_, index) => ask(index)).join(''))
  await until(() => statuses().length >= 100)
  expect((await manager.call('getOrganization', { params: { organizationId: organization.id } })).status).toBe(200)
  await until(() => statuses().length === 140)
  expect(statuses()).toEqual(Array(140).fill('401'))
  // 1 + 2 + … + 40; a slow machine takes longer anyway.
  expect(performance.now() - began).toBeGreaterThan(800)
})
