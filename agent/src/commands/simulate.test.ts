import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SimulatedHosts } from '@lectern/contract/hosts.ts'
import { expect, test } from 'vitest'
import { newFolder } from '../testing/folder.ts'
import { memoryLog } from '../testing/log.ts'
import { json, problem, startPeer } from '../testing/peer.ts'
import { simulate } from './simulate.ts'

test('hosts of one licence do not enroll all at once', async () => {
  const held: (() => void)[] = []
  let most = 0
  const peer = await startPeer((call, response) => {
    if (call.path === '/aside') return json(response, 200, {})
    if (call.path !== '/api/agent/enroll') return json(response, 410, problem(410, 'It is over.'))
    held.push(() => json(response, 200, { hostId: 'host', organizationId: 'organization', zoneName: 'ICU 3' }))
    most = Math.max(most, held.length)
    // Whatever was sent before this call is here when it is answered.
    if (held.length < 4) return
    void fetch(`${peer.url}/aside`).then(() => {
      for (const answer of held.splice(0)) answer()
    })
  })
  const host = (number: number): SimulatedHosts['hosts'][number] => ({
    state: join(newFolder(), 'state'),
    zoneId: '0198c0de-0001-7000-8000-000000000001',
    name: `NRH-${number}`,
    licence: 'LEC-1',
    poll: 60,
    interval: 60,
    readers: { count: 1, seed: 1 },
  })
  const file = join(newFolder(), 'hosts.json')
  writeFileSync(file, JSON.stringify({ server: peer.url, hosts: Array.from({ length: 12 }, (_, number) => host(number)) }))
  const log = memoryLog()
  await simulate(file, '0.1.0', log, new AbortController().signal)
  expect(most).toBe(4)
  expect(log.lines.filter((line) => line.includes('is enrolled as'))).toHaveLength(12)
})
