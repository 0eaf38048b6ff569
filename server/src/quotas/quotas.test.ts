import { uuidv7 } from 'uuidv7'
import { expect, onTestFinished, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { startServer } from '../testing/server.ts'
import { until } from '../testing/until.ts'

async function open(environment: Record<string, string>) {
  const server = await startServer({ environment })
  onTestFinished(server.stop)
  const warned = (sentence: string) =>
    server.lines.filter((line) => JSON.parse(line).level === 40 && JSON.parse(line).msg === sentence).map((line) => JSON.parse(line).caller)
  return { server, warned }
}

const fleet = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => reader(`S${from + index}`))

test('[LMT-05] a host PC has so many readers, those included that it no longer reports; a check-in with more stores none', async () => {
  const { server, warned } = await open({ READERS_PER_HOST: '5' })
  const zone = await server.zone()
  const host = await server.host(zone)
  const params = { organizationId: zone.organization.id }
  const total = async () => (await zone.manager.call('getDeviceTotals', { params })).body.allDevices
  expect((await host.checkIn(fleet(0, 3))).status).toBe(200)
  const { status, problem } = await host.checkIn(fleet(2, 6))
  const sentence = 'A host PC may have at most 5 readers, those included that it no longer reports. Remove some of those.'
  expect([status, problem.detail]).toEqual([409, sentence])
  expect(warned(sentence)).toEqual([expect.stringMatching(/^host \d+$/)])
  expect(await total()).toBe(3)
  expect((await host.checkIn(fleet(2, 5))).status).toBe(200)
  expect((await (await server.host(zone)).checkIn(fleet(10, 15))).status).toBe(200)
  expect(await total()).toBe(10)
})

test('[LMT-05] so many readers of a host PC may be new within an hour', async () => {
  const { server, warned } = await open({ NEW_READERS_PER_HOUR: '3' })
  const zone = await server.zone()
  const host = await server.host(zone)
  expect((await host.checkIn(fleet(0, 2))).status).toBe(200)
  const { status, problem, headers } = await host.checkIn(fleet(0, 4))
  const sentence = 'A host PC may report at most 3 new readers an hour.'
  expect([status, problem.detail]).toEqual([429, sentence])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_500)
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3_600)
  expect(warned(sentence)).toHaveLength(1)
  // Refused readers are not spent, and known readers cost nothing.
  expect((await host.checkIn(fleet(0, 3))).status).toBe(200)
  expect((await host.checkIn(fleet(0, 3).map((one) => ({ ...one, batteryHealth: 50 })))).status).toBe(200)
  expect((await host.checkIn(fleet(0, 4))).status).toBe(429)
  await server.app.db
    .updateTable('host_spending')
    .set({ since: new Date(Date.now() - 3_601_000) })
    .execute()
  expect((await host.checkIn(fleet(0, 4))).status).toBe(200)
})

test('[LMT-05] so many firmware versions and configurations of a host PC may be new within an hour; what is over is not kept', async () => {
  const { server, warned } = await open({ NEW_READERS_PER_HOUR: '3' })
  const host = await server.host(await server.zone())
  const runs = (from: number, to: number) => fleet(0, 2).map((one, index) => ({ ...one, firmware: `1.${index === 0 ? from : to}` }))
  expect((await host.checkIn(runs(0, 1))).status).toBe(200)
  const { status, problem } = await host.checkIn(runs(2, 3))
  const sentence = 'A host PC may report at most 3 new firmware versions and configurations an hour.'
  expect([status, problem.detail]).toEqual([429, sentence])
  expect(warned(sentence)).toHaveLength(1)
  expect(await server.app.db.selectFrom('reported_firmware').select('version').execute()).toHaveLength(2)
  expect((await host.checkIn(runs(1, 0))).status).toBe(200)
})

test('[LMT-05] a host PC reports so many outcomes in a minute', async () => {
  const { server, warned } = await open({ OUTCOMES_PER_MINUTE: '3' })
  const zone = await server.zone()
  const host = await server.host(zone)
  await host.checkIn(fleet(0, 4))
  const params = { organizationId: zone.organization.id, location: zone.id, device: 'CR2700' } as const
  await zone.manager.call('publishCfg', { params, body: { cfg: '<cfg></cfg>', when: 'now' } })
  const { publication } = (await host.call('getDesired')).body.configurations[0]!
  const report = (from: number, to: number) =>
    host.call('reportOutcomes', {
      body: {
        outcomes: fleet(from, to).map(({ serialNumber }) => ({
          publication,
          serialNumber,
          outcome: 'applied',
          reason: null,
          at: new Date().toISOString(),
        })),
      },
    })
  const stored = () => server.app.db.selectFrom('outcome').select('device_id').execute()
  expect((await report(0, 2)).status).toBe(200)
  const { status, problem, headers } = await report(2, 4)
  const sentence = 'A host PC may report at most 3 outcomes a minute.'
  expect([status, problem.detail]).toEqual([429, sentence])
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect(warned(sentence)).toHaveLength(1)
  expect(await stored()).toHaveLength(2)
  expect((await report(2, 3)).status).toBe(200)
  expect(await stored()).toHaveLength(3)
})

test('[LMT-05] an organization has so many zones and host PCs, however many are added at once', async () => {
  const { server, warned } = await open({ ZONES_PER_ORGANIZATION: '3', HOSTS_PER_ORGANIZATION: '2' })
  const zone = await server.zone()
  const params = { organizationId: zone.organization.id }
  const create = (name: string) => zone.manager.call('createZone', { params: { ...params, location: name } })
  const made = await Promise.all(['A', 'B', 'C', 'D'].map(create))
  expect(made.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409])
  const sentence = 'An organization may have at most 3 zones.'
  expect(made.find(({ status }) => status === 409)?.problem.detail).toBe(sentence)
  expect(warned(sentence)).toHaveLength(2)
  expect((await zone.manager.call('listZones', { params })).body).toHaveLength(3)
  await zone.manager.call('deleteZone', { params: { ...params, location: made.find(({ status }) => status === 200)!.body.id } })
  expect((await create('E')).status).toBe(200)

  const licence = await server.licence(zone.organization)
  const enroll = (hostName: string) => {
    const body = { zoneId: zone.id, hostName, timeZone: 'UTC', agentVersion: '1.0.0', credentialHash: hostName.repeat(64) }
    return server.call('enrollHost', { body }, { token: licence })
  }
  const enrolled = await Promise.all(['a', 'b', 'c'].map(enroll))
  expect(enrolled.map(({ status }) => status).sort()).toEqual([200, 200, 409])
  const refused = enrolled.find(({ status }) => status === 409)
  expect(refused?.problem.detail).toBe('An organization may have at most 2 host PCs.')
  // Of those that are enrolled, each may ask again.
  const again = await Promise.all(['a', 'b', 'c'].map(enroll))
  expect(again.map(({ status }) => status)).toEqual(enrolled.map(({ status }) => status))
})

test('[LMT-05] an account has so many event streams open', async () => {
  const { server, warned } = await open({ STREAMS_PER_ACCOUNT: '2' })
  const zone = await server.zone()
  const other = await server.person({ organization: zone.organization })
  const params = { organizationId: zone.organization.id, location: zone.id, device: 'CR2700' } as const
  const rollout = uuidv7()
  await zone.manager.call('publishCfg', { params, body: { cfg: '<cfg></cfg>', when: 'now', rollout } })
  const opened: AbortController[] = []
  // A response that is garbage-collected is cancelled, which ends its stream.
  const kept: Response[] = []
  onTestFinished(() => {
    for (const one of opened) one.abort()
    kept.length = 0
  })
  const stream = async (token: string) => {
    const leaving = new AbortController()
    opened.push(leaving)
    const path = `/api/codedm/organization/${zone.organization.id}/rollouts/${rollout}/events`
    const response = await server.fetch(path, { headers: { authorization: `Bearer ${token}` }, signal: leaving.signal })
    kept.push(response)
    return response.status === 200 ? 200 : [response.status, ((await response.json()) as { detail: string }).detail]
  }
  const sentence = 'An account may have at most 2 event streams open.'
  expect([await stream(zone.manager.token), await stream(zone.manager.token)]).toEqual([200, 200])
  expect(await stream(zone.manager.token)).toEqual([429, sentence])
  expect(warned(sentence)).toHaveLength(1)
  expect(await stream(other.token)).toBe(200)
  opened[0]!.abort()
  await until(async () => (await stream(zone.manager.token)) === 200)
})
