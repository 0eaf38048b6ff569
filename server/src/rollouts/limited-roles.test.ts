import type { RolloutDetail } from '@lectern/contract/rollouts/rollouts.ts'
import { uuidv7 } from 'uuidv7'
import { expect, onTestFinished, test } from 'vitest'
import { reader, type TestPerson } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

/** Publishes twice to three zones with two readers each. The role of `limited` is limited to the first two zones. */
async function publishedTo() {
  const first = await server.zone('A')
  const { organization, manager } = first
  const zones = [first, await server.zone('B', organization), await server.zone('C', organization)]
  const hosts: Awaited<ReturnType<typeof server.host>>[] = []
  for (const zone of zones) {
    const host = await server.host(zone, `Host ${zone.name}`)
    await host.checkIn([reader(`${zone.name}1`), reader(`${zone.name}2`)])
    hosts.push(host)
  }
  const organizationId = organization.id
  const publish = (by: Pick<TestPerson, 'call'>, location: string, cfg: string, rollout: string) =>
    by.call('publishCfg', {
      params: { organizationId, location, device: 'CR2700' },
      body: { cfg: `<cfg>${cfg}</cfg>`, when: 'now', rollout },
    })
  const report = async (index: number, ...outcomes: [serialNumber: string, outcome: 'applied' | 'failed'][]) => {
    const { publication } = (await hosts[index]!.call('getDesired')).body.configurations[0]!
    const at = new Date().toISOString()
    const rows = outcomes.map(([serialNumber, outcome]) => ({
      publication,
      serialNumber,
      outcome,
      at,
      reason: outcome === 'failed' ? 'Locked.' : null,
    }))
    await hosts[index]!.call('reportOutcomes', { body: { outcomes: rows } })
  }
  const [before, id] = [uuidv7(), uuidv7()]
  for (const [index, zone] of zones.entries()) {
    await publish(manager, zone.id, 'before', before)
    await report(index, [`${zone.name}1`, 'applied'])
  }
  for (const zone of zones) await publish(manager, zone.id, 'now', id)
  const limited = await server.limitedPerson(organization, zones.slice(0, 2), ['manage:cfg', 'access:audit_log'])
  const params = { organizationId, id }
  const parts = async (by: Pick<TestPerson, 'call'>) =>
    (await by.call('listRolloutParts', { params })).body.partList.map(({ zone, state, haltedBy: _, ...rest }) => [
      zone,
      state,
      rest.isCurrent,
    ])
  return { organization, organizationId, manager, limited, zones, hosts, before, id, params, publish, report, parts }
}

test('[PPL-04] a rollout over more zones shows the part of its zones, and that there is more', async () => {
  const { limited, manager, params, report } = await publishedTo()
  await report(0, ['A1', 'applied'], ['A2', 'failed'])
  await report(2, ['C1', 'failed'], ['C2', 'failed'])
  const counts = { readers: 4, applied: 1, failed: 1, replaced: 0 }
  const part = { zones: ['A', 'B'], zoneCount: 2, isPartial: true, counts }
  const { body: list } = await limited.call('listRollouts', { params })
  expect(list).toMatchObject({ totalCount: 2, rolloutList: [part, { zones: ['A', 'B'], isPartial: true }] })
  const { body } = await limited.call('getRollout', { params })
  expect(body).toMatchObject({ ...part, retryable: 1, current: 2 })
  expect(body.failed.map(({ serialNumber }) => serialNumber)).toEqual(['A2'])
  expect(body.events.map(({ serialNumber }) => serialNumber).sort()).toEqual(['A1', 'A2'])
  const readers = await limited.call('listRolloutReaders', { params })
  expect(readers.body).toMatchObject({ totalCount: 4, readerList: [{ zone: 'A' }, { zone: 'A' }, { zone: 'B' }, { zone: 'B' }] })
  expect((await limited.call('listRolloutReaders', { params, query: { state: 'failed' } })).body).toMatchObject({ totalCount: 1 })
  expect((await limited.call('listRolloutParts', { params })).body).toMatchObject({ totalCount: 2 })
  const whole = (await manager.call('getRollout', { params })).body
  expect(whole).toMatchObject({ zoneCount: 3, counts: { readers: 6, failed: 3 } })
  expect(whole).not.toHaveProperty('isPartial')
})

test('[PPL-04] rollouts and zones are found by its zones alone: by what is there, in which state, and who published it', async () => {
  const { organization, limited, manager, organizationId, zones, params, report } = await publishedTo()
  const colleague = await server.person({ organization, permissions: ['manage:cfg'], email: `${uuidv7()}@people.example` })
  const add = (by: Pick<TestPerson, 'call'>, rollout: string, device: string, name: string) => {
    const file = new File(['rules_onDecode = () => undefined'], name)
    return by.call('publishCodeRules', {
      params: { organizationId, location: zones[2]!.id, device },
      file,
      fields: { when: 'now', rollout },
    })
  }
  await report(2, ['C1', 'failed'], ['C2', 'failed'])
  // In the third zone, the rollout to all three zones also has a content for another model.
  await add(manager, params.id, 'CR1500', 'cellar.js')
  await add(colleague, uuidv7(), 'A271/2', 'attic.js')
  await report(0, ['A1', 'applied'], ['A2', 'applied'])
  const found = async (by: Pick<TestPerson, 'call'>, query: Record<string, unknown>) =>
    (await by.call('listRollouts', { params: { organizationId }, query })).body.totalCount
  const queries: [query: Record<string, unknown>, whole: number, limited: number][] = [
    [{}, 3, 2],
    [{ textFilter: 'cellar' }, 1, 0],
    [{ model: 'CR1500' }, 1, 0],
    [{ model: 'CR2700' }, 2, 2],
    [{ zone: zones[2]!.id }, 3, 0],
    [{ zone: zones[0]!.id }, 2, 2],
    [{ person: colleague.userId }, 1, 0],
    [{ state: 'failed' }, 1, 0],
    [{ state: 'empty' }, 1, 0],
    [{ state: 'replaced' }, 1, 1],
    [{ state: 'updating' }, 1, 1],
    [{ state: 'complete' }, 0, 0],
  ]
  for (const [query, ...counts] of queries) {
    expect([await found(manager, query), await found(limited, query)], JSON.stringify(query)).toEqual(counts)
  }
  await report(1, ['B1', 'applied'], ['B2', 'applied'])
  expect(await found(limited, { state: 'complete' })).toBe(1)
  const people = async (by: Pick<TestPerson, 'call'>) => (await by.call('getRolloutChoices', { params: { organizationId } })).body.people
  expect((await people(manager)).map(({ id }) => id).sort()).toEqual([manager.userId, colleague.userId].sort())
  expect((await people(limited)).map(({ id }) => id)).toEqual([manager.userId])
  expect((await limited.call('streamRollouts', { params: { organizationId } })).status).toBe(200)
  const pages: [query: Record<string, unknown>, ...names: string[]][] = [
    [{ Direction: 'Descending' }, 'B', 'A'],
    [{ ColumnName: 'Failed', Direction: 'Descending' }, 'A', 'B'],
    [{ state: 'complete' }, 'A', 'B'],
    [{ state: 'failed' }],
  ]
  for (const [query, ...names] of pages) {
    const { partList, totalCount } = (await limited.call('listRolloutParts', { params, query })).body
    expect([partList.map(({ zone }) => zone), totalCount], JSON.stringify(query)).toEqual([names, names.length])
  }
})

test('[PPL-04] it halts, resumes, retries and rolls back what is in its zones', async () => {
  const { limited, manager, params, report, parts } = await publishedTo()
  expect((await limited.call('haltRollout', { params })).status).toBe(200)
  expect((await parts(manager)).map(([zone, state]) => [zone, state])).toEqual([
    ['A', 'halted'],
    ['B', 'halted'],
    ['C', 'updating'],
  ])
  await manager.call('haltRollout', { params })
  expect((await limited.call('resumeRollout', { params })).status).toBe(200)
  expect((await parts(manager)).map(([, state]) => state)).toEqual(['updating', 'updating', 'halted'])
  await report(0, ['A1', 'failed'])
  await report(2, ['C1', 'failed'])
  expect((await limited.call('retryRollout', { params })).body.message).toMatch(/^Retrying 1 reader /)
  expect((await manager.call('getRollout', { params })).body.retryable).toBe(1)
  expect((await limited.call('rollBackRollout', { params, body: { updateTime: null } })).status).toBe(200)
  expect((await parts(manager)).map(([zone, , isCurrent]) => [zone, isCurrent])).toEqual([
    ['A', false],
    ['B', false],
    ['C', true],
  ])
})

test('[RIT-06] what a role that is limited to zones halts, resumes and rolls back is recorded as its part, and of all zones as the whole', async () => {
  const { limited, manager, organization, organizationId, params, publish, zones, report } = await publishedTo()
  const auditor = await server.person({ organization, permissions: ['access:audit_log'] })
  const said = async () => {
    const query = { PageNumber: 0, PageSize: 1 }
    const { entryList } = (await auditor.call('listAuditEntries', { params: { organizationId }, query })).body
    return entryList.map(({ changeType, target, zoneName }) => [changeType, target, zoneName])[0]
  }
  await manager.call('haltRollout', { params })
  const [, title] = (await said())!
  expect(await said()).toEqual(['haltRollout', expect.stringMatching(/^CFG [0-9a-f]{8}$/), undefined])
  await limited.call('resumeRollout', { params })
  expect(await said()).toEqual(['resumeRollout', `${title} in A and B`, undefined])
  await limited.call('haltRollout', { params })
  expect(await said()).toEqual(['haltRollout', `${title} in A and B`, undefined])
  await manager.call('resumeRollout', { params })
  expect(await said()).toEqual(['resumeRollout', title, undefined])
  await report(0, ['A1', 'failed'])
  await limited.call('retryRollout', { params })
  expect(await said()).toEqual(['retryRollout', `${title} in A and B`, undefined])
  // In one of the role's two zones something newer is published.
  await publish(manager, zones[0]!.id, 'newer', uuidv7())
  await limited.call('haltRollout', { params })
  expect(await said()).toEqual(['haltRollout', title, 'B'])
  await limited.call('resumeRollout', { params })
  await limited.call('rollBackRollout', { params, body: { updateTime: null } })
  expect(await said()).toEqual(['rollBackRollout', `${title} in A and B`, undefined])
})

test('[RIT-06] what it starts and moves is recorded as its part too', async () => {
  const { limited, manager, organizationId, zones } = await publishedTo()
  const id = uuidv7()
  const params = { organizationId, id }
  const updateTime = new Date(Date.now() + 6 * 3_600_000).toISOString().slice(11, 16)
  for (const zone of zones)
    await manager.call('publishCfg', {
      params: { organizationId, location: zone.id, device: 'CR2700' },
      body: { cfg: '<cfg>later</cfg>', updateTime, rollout: id },
    })
  const date = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  expect((await limited.call('moveRollout', { params, body: { date, updateTime: '03:00' } })).status).toBe(200)
  expect((await limited.call('startRollout', { params, body: {} })).status).toBe(200)
  const query = { PageNumber: 0, PageSize: 2 }
  const { entryList } = (await limited.call('listAuditEntries', { params: { organizationId }, query })).body
  expect(entryList.map(({ changeType, target, newValue }) => [changeType, target, newValue])).toEqual([
    ['startRollout', expect.stringMatching(/^CFG [0-9a-f]{8} in A and B$/), undefined],
    ['moveRollout', expect.stringMatching(/^CFG [0-9a-f]{8} in A and B$/), expect.stringMatching(/, 03:00$/)],
  ])
})

test('[PPL-04] limits that also hold elsewhere it does not set: of a rollout over more zones, and of all later ones', async () => {
  const { limited, zones, params, publish } = await publishedTo()
  const set = (id: string, forLater = false) =>
    limited.call('setSafetyLimit', { params: { ...params, id }, body: { haltAbovePercent: 5, stopTime: null, forLater } })
  expect((await set(params.id)).problem).toMatchObject({
    status: 403,
    detail: 'Your role is limited to zones. The limits of this rollout also hold for others.',
  })
  const asked = uuidv7()
  const [first, second] = [await publish(limited, zones[0]!.id, 'own', asked), await publish(limited, zones[1]!.id, 'own', asked)]
  const own = first.body.rolloutId!
  expect([first.status, second.status, second.body.rolloutId]).toEqual([200, 200, own])
  expect((await publish(limited, zones[2]!.id, 'own', asked)).status).toBe(404)
  expect((await set(own)).status).toBe(200)
  expect((await set(own, true)).problem).toMatchObject({
    status: 403,
    detail: 'Your role is limited to zones. You cannot set limits for all later rollouts.',
  })
  expect((await limited.call('getRollout', { params: { ...params, id: own } })).body).not.toHaveProperty('isPartial')
})

test('[PPL-04] the safety limit that another zone exceeds, and a rollback elsewhere, do not show', async () => {
  const { limited, manager, organizationId, zones, params, publish, report } = await publishedTo()
  await manager.call('setSafetyLimit', { params, body: { haltAbovePercent: 1, stopTime: null, forLater: false } })
  await report(2, ['C1', 'failed'])
  expect((await manager.call('getRollout', { params })).body).toMatchObject({ isHalted: true, safetyLimit: { zoneCount: 1 } })
  expect((await limited.call('getRollout', { params })).body).toMatchObject({ isHalted: false, safetyLimit: { zones: [], zoneCount: 0 } })
  // Zones A and B get something newer, so only zone C is rolled back.
  for (const zone of zones.slice(0, 2)) await publish(manager, zone.id, 'newer', uuidv7())
  const { body } = await manager.call('rollBackRollout', { params, body: { updateTime: null } })
  expect((await manager.call('getRollout', { params })).body.rolledBackBy).toBe(body.id)
  expect((await limited.call('getRollout', { params })).body).not.toHaveProperty('rolledBackBy')
  expect((await limited.call('getRollout', { params: { organizationId, id: body.id } })).status).toBe(404)
})

test('[PPL-04] a stream has only its zones, and ends when they change, or lose the tag of the role', async () => {
  const { organization, organizationId, limited, manager, params, zones, report } = await publishedTo()
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const open = async (by: Pick<TestPerson, 'token'>) => {
    const path = `/api/codedm/organization/${organizationId}/rollouts/${params.id}/events`
    const response = await server.fetch(path, { headers: { authorization: `Bearer ${by.token}` }, signal: stop.signal })
    return response.body!.pipeThrough(new TextDecoderStream()).getReader()
  }
  const next = async (lines: Awaited<ReturnType<typeof open>>) => {
    for (let text = ''; ; ) {
      const { value, done } = await lines.read()
      if (done) return null
      text += value
      const data = /^event: rollout\ndata: (.*)\n\n/m.exec(text)?.[1]
      if (data) return JSON.parse(data) as RolloutDetail
    }
  }
  // The manager, who sees all zones, watches the same rollout.
  const whole = await open(manager)
  expect(await next(whole)).toMatchObject({ zoneCount: 3, counts: { readers: 6 } })
  const lines = await open(limited)
  expect(await next(lines)).toMatchObject({ zoneCount: 2, isPartial: true, counts: { readers: 4, applied: 0 } })
  const tag = (change: object) =>
    limited.manager.call('tagZones', { params: { organizationId }, body: { zones: [zones[1]!.id], ...change } })
  await tag({ add: ['Ulm'] })
  const tagged = await open(await server.limitedPerson(organization, zones.slice(0, 1), [], ['Ulm']))
  expect(await next(tagged)).toMatchObject({ zones: ['A', 'B'] })
  await report(2, ['C1', 'applied'])
  expect(await next(whole)).toMatchObject({ counts: { applied: 1 } })
  await report(1, ['B1', 'applied'])
  expect(await next(lines)).toMatchObject({ zones: ['A', 'B'], counts: { readers: 4, applied: 1 }, events: [{ serialNumber: 'B1' }] })
  const body = { name: 'Less', permissions: ['manage:cfg'], zones: [zones[0]!.id] }
  await limited.manager.call('updateRole', { params: { organizationId, roleId: limited.roleId }, body })
  expect((await tag({ remove: ['Ulm'] })).status).toBe(204)
  expect(await next(lines)).toBeNull()
  while ((await next(tagged)) !== null);
})
