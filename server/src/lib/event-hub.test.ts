import { expect, onTestFinished, test } from 'vitest'
import { notifyServers } from '../events/sql.ts'
import { createDatabase } from '../testing/database/database.ts'
import { serverForFile, startServer } from '../testing/server.ts'
import { until } from '../testing/until.ts'
import { type Event, openEventHub } from './event-hub.ts'

const server = await serverForFile()
const { db } = server.app

function openHub() {
  const said: string[] = []
  const hub = openEventHub({
    listenUrl: server.databaseUrl,
    notify: (payload) => notifyServers(db, payload),
    logOutage: (reason) => said.push(reason),
    logDeafness: (message) => said.push(message),
  })
  onTestFinished(() => hub.close())
  return { hub, said }
}

const subscriber = () => {
  const heard: string[] = []
  return { heard, hear: ({ kind }: Event) => void heard.push(kind), end: () => void heard.push('end') }
}

test('[SCL-11] an event is handed to those who asked for its zone or its organization, and to nobody else', async () => {
  const { hub } = openHub()
  const [zone, organization, otherZone, left] = [subscriber(), subscriber(), subscriber(), subscriber()]
  hub.subscribe('zone-a', zone)
  hub.subscribe(1, organization)
  hub.subscribe('zone-b', otherZone)
  hub.subscribe('zone-a', left)()
  await until(() => otherZone.heard.includes('reconnected'))
  await notifyServers(db, JSON.stringify({ id: 1, organizationId: 1, zoneId: 'zone-a', kind: 'desired' }))
  await notifyServers(db, JSON.stringify({ id: 2, organizationId: 2, zoneId: 'zone-b', kind: 'hosts' }))
  await until(() => otherZone.heard.includes('hosts'))
  expect(zone.heard).toEqual(['reconnected', 'desired'])
  expect(organization.heard).toEqual(['reconnected', 'desired'])
  expect(otherZone.heard).toEqual(['reconnected', 'hosts'])
  expect(left.heard).toEqual([])
  await hub.close()
  expect(zone.heard.at(-1)).toBe('end')
})

test('a server that listens elsewhere than it notifies says so, in its log and where it says that it is ready', async () => {
  const elsewhere = await createDatabase()
  onTestFinished(() => elsewhere.drop())
  const deaf = await startServer({ environment: { LISTEN_URL: elsewhere.url } })
  onTestFinished(deaf.stop)
  const details = 'Changes made by other servers are not heard at once.'
  await expect
    .poll(async () => (await deaf.call('getReadiness')).body, { timeout: 10_000 })
    .toEqual({ status: 'ready', details: [details] })
  expect(deaf.lines.join('')).toContain('LISTEN_URL must lead to the database itself')
  expect((await server.call('getReadiness')).body).toEqual({ status: 'ready' })
})
