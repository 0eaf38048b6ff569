import { createHash, randomUUID } from 'node:crypto'
import type { AuditEntry } from '@lectern/contract/audit/audit.ts'
import { formatSentence } from '@lectern/contract/audit/audit-sentence.ts'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

type TestHost = Awaited<ReturnType<typeof server.host>>

/** A PC with the state folder of the host: it returns the number of its last answer, and what it was answered. */
function copyOf(host: TestHost, sequence = 0) {
  const pc = {
    sequence,
    async checkIn(more: Parameters<TestHost['checkIn']>[1] = {}) {
      const { body } = await host.checkIn([reader('A1')], { sequence: pc.sequence, ...more })
      pc.sequence = body.sequence ?? pc.sequence
      return body
    },
  }
  return pc
}

async function newHost() {
  const zone = await server.zone('ICU 3')
  const params = { organizationId: zone.organization.id }
  await zone.manager.call('publishCodeRules', {
    params: { ...params, location: zone.id, device: 'CR2700' },
    file: new File(['rules_onDecode = (d) => d'], 'a.js'),
  })
  const host = await server.host(zone, 'PC-7')
  const auditor = await server.person({ organization: zone.organization, permissions: ['access:audit_log'] })
  const listHosts = async () => (await zone.manager.call('listZoneOverviews', { params })).body.flatMap(({ hosts }) => hosts)
  const isMarked = async () => (await listHosts())[0]!.onTwoPcs === true
  const listEntries = async (changeType: string) =>
    ((await auditor.call('listAuditEntries', { params })).body as unknown as AuditEntry[]).filter(
      (entry) => entry.changeType === changeType,
    )
  return { zone, params, host, listHosts, isMarked, listEntries }
}

/** Two copies that check in in turn until they are found. */
async function newCopies() {
  const made = await newHost()
  const [one, two] = [copyOf(made.host), copyOf(made.host)]
  for (const pc of [one, two, one, two]) await pc.checkIn()
  return { ...made, one, two }
}

test('[AGT-08] each check-in is answered with a new number; in order, nothing is said of a second PC', async () => {
  const { host, isMarked } = await newHost()
  const pc = copyOf(host)
  const numbers: (number | undefined)[] = []
  for (let round = 0; round < 5; round++) {
    const { sequence, ...answer } = await pc.checkIn()
    expect(answer).toEqual({ accepted: 1, refused: [] })
    numbers.push(sequence)
  }
  expect(new Set(numbers).size).toBe(5)
  expect(await isMarked()).toBe(false)
})

test('[AGT-08] a check-in that is asked for all readers has a number of its own too', async () => {
  const pc = copyOf((await newHost()).host)
  const first = await pc.checkIn({ since: 'ab'.repeat(32), digest: 'cd'.repeat(32) })
  expect([first.sendAll, first.sequence]).toEqual([true, 1])
  expect(await pc.checkIn()).toEqual({ accepted: 1, refused: [], sequence: 2 })
})

test('[AGT-08] an agent that returns no number is given none, and nothing is decided of it', async () => {
  const { host, isMarked } = await newHost()
  for (let round = 0; round < 6; round++) expect((await host.checkIn([reader('A1')])).body).toEqual({ accepted: 1, refused: [] })
  expect(await isMarked()).toBe(false)
})

test('[AGT-08] lost answers in a row and the backup of yesterday are forgiven, each with one word', async () => {
  const { host, isMarked } = await newHost()
  const pc = copyOf(host)
  await pc.checkIn()
  const yesterday = pc.sequence
  for (let lost = 0; lost < 3; lost++) await host.checkIn([reader('A1')], { sequence: pc.sequence })
  expect(await pc.checkIn()).toMatchObject({ isBehind: true })
  for (let round = 0; round < 96; round++) expect((await pc.checkIn()).isBehind).toBeUndefined()
  pc.sequence = yesterday
  expect(await pc.checkIn()).toMatchObject({ isBehind: true })
  for (let round = 0; round < 3; round++) expect((await pc.checkIn()).isBehind).toBeUndefined()
  expect(await isMarked()).toBe(false)
})

test.each([2, 50])(
  '[AGT-08] %i PCs with one state folder are marked within two check-ins of them: zone, host, audit log',
  async (amount) => {
    const { zone, params, host, listHosts, listEntries } = await newHost()
    const copies = Array.from({ length: amount }, () => copyOf(host))
    for (const pc of copies) await pc.checkIn()
    expect((await listHosts())[0]).not.toHaveProperty('onTwoPcs')
    const answers = []
    for (const pc of copies) answers.push(await pc.checkIn())
    expect(answers.at(-1)).toMatchObject({ onTwoPcs: true })
    expect(await listHosts()).toMatchObject([{ name: 'PC-7', onTwoPcs: true }])
    const counted = await zone.manager.call('listZoneOverviews', { params, query: { hosts: 'counted' } })
    expect(counted.body).toMatchObject([{ hostCounts: [{ hosts: 1, onTwoPcs: 1 }] }])
    for (const pc of copies) await pc.checkIn()
    const entries = await listEntries('hostOnTwoPcs')
    expect(entries.map((entry) => formatSentence(entry))).toEqual([
      'Lectern found that the host PC PC-7 in ICU 3 runs on two PCs, and hands out nothing to it',
    ])
    expect(entries).toMatchObject([{ target: 'PC-7', zoneName: 'ICU 3' }])
  },
)

test('[AGT-08] nothing is handed out to a host on two PCs, and what it was handed before is taken back', async () => {
  const { host } = await newHost()
  const [one, two] = [copyOf(host), copyOf(host)]
  const handed = (await host.call('getDesired')).body.configurations
  expect(handed).toHaveLength(1)
  for (const pc of [one, two, one, two]) await pc.checkIn()
  expect((await host.call('getDesired')).body).toMatchObject({ configurations: [], firmware: [], reapplications: [] })
  const { contentHash, publication } = handed[0]!
  const content = await server.fetch(`/api/agent/content/${contentHash}`, { headers: { authorization: `Bearer ${host.credential}` } })
  expect([content.status, await content.json()]).toMatchObject([
    404,
    { detail: 'Two PCs check in as this host. Nothing is handed out to it.' },
  ])
  // What a reader was given all the same is still recorded.
  const outcome = { publication, serialNumber: 'A1', outcome: 'applied' as const, reason: null, at: new Date().toISOString() }
  expect((await host.call('reportOutcomes', { body: { outcomes: [outcome] } })).body).toEqual({ refused: [] })
})

test('[AGT-08 DRY-01] the dry run counts the readers of a host on two PCs apart, and none of them as changing', async () => {
  const { zone, params, host } = await newHost()
  const body = {
    key: uuidv7(),
    zones: { ids: [zone.id] },
    parts: [{ model: 'CR2700', content: { kind: 'cfg', text: '<cfg></cfg>' } }],
    when: { now: true },
  }
  const count = async () => {
    const { parts, zones } = (await zone.manager.call('previewPublication', { params, query: {}, body })).body
    return [parts[0]!.counts, zones[0]!.parts[0]!.counts]
  }
  const [one, two] = [copyOf(host), copyOf(host)]
  for (const pc of [one, two]) await pc.checkIn()
  const before = { readers: 1, changes: 1, onTwoPcs: 0 }
  expect(await count()).toMatchObject([before, before])
  for (const pc of [one, two]) await pc.checkIn()
  const after = { readers: 1, changes: 0, silent: 0, onTwoPcs: 1 }
  expect(await count()).toMatchObject([after, after])
})

/** Enrolls a PC anew, as `--replace` does. */
async function enrollAnew({ host, zone, name = 'PC-7' }: { host: TestHost; zone: Awaited<ReturnType<typeof server.zone>>; name?: string }) {
  const credential = randomUUID()
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const body = {
    zoneId: zone.id,
    hostName: name,
    timeZone: 'UTC',
    agentVersion: '1',
    credentialHash: hash(credential),
    replaces: hash(host.credential),
  }
  const token = await server.licence(zone.organization)
  const answers = [await server.call('enrollHost', { body }, { token }), await server.call('enrollHost', { body }, { token })]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  return { credential }
}

test('[AGT-08] enrolling either PC anew ends the mark: the old credential is refused, once, and that is in the audit log', async () => {
  const { zone, host, listHosts, listEntries, two } = await newCopies()
  const { credential } = await enrollAnew({ host, zone })
  const old = await host.checkIn([reader('A1')], { sequence: two.sequence })
  expect([old.status, old.problem.detail]).toEqual([401, 'This host was removed from its zone. Enroll it again.'])
  const hosts = await listHosts()
  expect(hosts).toMatchObject([{ name: 'PC-7' }])
  expect(hosts[0]).not.toHaveProperty('onTwoPcs')
  const anew = await server.call('getDesired', {}, { token: credential })
  expect(anew.body.configurations).toHaveLength(1)
  const sentences = async () => (await listEntries('removeHost')).map((entry) => formatSentence(entry))
  expect(await sentences()).toEqual(['Host PC PC-7 enrolled anew, which removed PC-7 from ICU 3'])
  await enrollAnew({ host, zone })
  expect(await sentences()).toHaveLength(1)
})

test('[AGT-08] enrolling anew removes no host that runs on one PC, and none of another organization', async () => {
  const single = await newHost()
  await copyOf(single.host).checkIn()
  await enrollAnew(single)
  expect((await single.host.checkIn([])).status).toBe(200)
  const { host } = await newCopies()
  await enrollAnew({ host, zone: await server.zone() })
  expect((await host.checkIn([])).status).toBe(200)
})
