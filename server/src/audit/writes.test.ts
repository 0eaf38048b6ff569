import { randomUUID } from 'node:crypto'
import type { AuditRule } from '@lectern/contract/audit/changes.ts'
import { type EndpointName, type Endpoints, endpoints } from '@lectern/contract/endpoints.ts'
import type { Endpoint } from '@lectern/contract/http/endpoint.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test, vi } from 'vitest'
import type { Answer } from '../testing/call.ts'
import { subjectTables, unshownTables } from '../testing/database/subject-tables.ts'
import { reader } from '../testing/makers.ts'
import { adScenarios } from '../testing/scenarios/ad-scenarios.ts'
import { caseScenarios } from '../testing/scenarios/case-scenarios.ts'
import { libraryWrites } from '../testing/scenarios/library-writes.ts'
import { peopleWrites } from '../testing/scenarios/people-writes.ts'
import { publicationWrites } from '../testing/scenarios/publication-writes.ts'
import { reapplyWrites } from '../testing/scenarios/reapply-writes.ts'
import { registryScenarios } from '../testing/scenarios/registry-scenarios.ts'
import { rolloutWrites } from '../testing/scenarios/rollout-writes.ts'
import { zoneWrites } from '../testing/scenarios/zone-writes.ts'
import { serverForFile } from '../testing/server.ts'

type WriteName = { [Name in EndpointName]: Endpoints[Name]['method'] extends 'GET' ? never : Name }[EndpointName]
/** Makes what a call needs; the answer makes the call. */
type Scenario = () => Promise<() => Promise<Answer<EndpointName>>>

// No sweep comes between what is compared.
vi.useFakeTimers({ toFake: ['setInterval'] })
const server = await serverForFile()
vi.useRealTimers()
const { db } = server.app
const staff = await server.person({ permissions: ['global:access:organizations'] })
const member = async () => server.person({ organization: await server.organization(), permissions: ['manage:cfg', 'manage:people'] })
const cfg = '<cfg>1</cfg>'

const productBody = {
  title: 'CR9000',
  short: 'A reader',
  description: 'A reader.',
  productType: 'Hardware',
  productImage: null,
  faq: [],
  documents: [],
  isDiscontinued: false,
  isConfigurable: false,
}
const configBody = { configName: 'Config', configString: 'text' }

let releases = 0
/** A firmware release; a version that is used once. */
const release = (version = `1.${++releases}`) =>
  staff.call('uploadFirmwareRelease', { fields: { device: 'V1300', version, notes: '' }, file: new File([version], 'v1300.crbfw') })
async function withWithdrawnRelease() {
  const params = { id: (await release()).body.id }
  await staff.call('offerFirmwareRelease', { params, body: { isOffered: false } })
  return params
}
async function withConfig() {
  const person = await member()
  const { body } = await person.call('createConfig', { query: { collection: 'ward' }, body: configBody })
  return { person, query: { id: body.id, collection: 'ward' } }
}
/** A person with their group and another one of the organization. */
async function withGroups() {
  const organization = await server.organization()
  const person = await server.person({ organization, permissions: ['manage:people'] })
  const { body } = await person.call('createGroup', { body: { name: 'Other' } })
  return { person, own: organization.groupId, other: body.gid }
}
async function withHost() {
  const zone = await server.zone()
  const host = await server.host(zone)
  return { zone, host, organizationId: zone.organization.id }
}

/** Every write of the contract: one that is missing here does not compile. */
const scenarios: Record<WriteName, Scenario> = {
  ...registryScenarios(server),
  registerUser: async () => {
    const person = await server.person()
    const name = { firstName: 'New', lastName: 'Person', workPhoneNumber: '+1 503 555 0100', countryCode: 'US' }
    return () => person.call('registerUser', { body: { ...name, workEmail: person.email } })
  },
  updateCurrentUser: async () => {
    const person = await member()
    return () => person.call('updateCurrentUser', { body: { firstName: 'Ada', phone: '1' } })
  },
  registerOrganization: async () => {
    const person = await server.person()
    return () => person.call('registerOrganization', { query: { companyName: `Company ${randomUUID()}` } })
  },
  markOrganization: async () => {
    const { id } = await server.organization()
    return () => staff.call('markOrganization', { params: { organization: id }, body: { hasEpicData: true } })
  },
  createGroup: async () => {
    const person = await member()
    return () => person.call('createGroup', { body: { name: 'Night shift' } })
  },
  renameGroup: async () => {
    const { person, own } = await withGroups()
    return () => person.call('renameGroup', { params: { id: own }, body: { name: 'Renamed' } })
  },
  setGroupProducts: async () => {
    const { person, own } = await withGroups()
    return () => person.call('setGroupProducts', { params: { id: own }, body: { productIds: [2] } })
  },
  deleteGroup: async () => {
    const { own, other } = await withGroups()
    return () => staff.call('deleteGroup', { params: { id: own }, body: { replacementGroupId: other } })
  },
  joinGroup: async () => {
    const { own } = await withGroups()
    const guest = await server.person()
    const invitation = await server.invitation(own, guest.email)
    return () => guest.call('joinGroup', { params: { id: own }, body: { invitation } })
  },
  ...peopleWrites(server),
  createProduct: async () => () => staff.call('createProduct', { body: productBody }),
  updateProduct: async () => {
    const { body } = await staff.call('createProduct', { body: productBody })
    return () => staff.call('updateProduct', { params: { id: body.productId }, body: { ...productBody, title: 'Changed' } })
  },
  ...adScenarios(staff),
  ...caseScenarios(member),
  createConfig: async () => {
    const person = await member()
    return () => person.call('createConfig', { query: { collection: 'ward' }, body: configBody })
  },
  editConfig: async () => {
    const { person, query } = await withConfig()
    return () => person.call('editConfig', { query, body: { configName: 'Changed' } })
  },
  deleteConfig: async () => {
    const { person, query } = await withConfig()
    return () => person.call('deleteConfig', { query })
  },
  ...zoneWrites(server),
  ...publicationWrites(server),
  publishFirmwareVersion: async () => {
    const { id, organization, manager } = await server.zone()
    await release()
    const params = { organizationId: organization.id, location: id, device: 'V1300' }
    return () => manager.call('publishFirmwareVersion', { params, body: { firmwareVersion: 'latest' } })
  },
  publishFirmwareFile: async () => {
    const { id, organization, manager } = await server.zone()
    const params = { organizationId: organization.id, location: id, device: 'A271/2' }
    return () => manager.call('publishFirmwareFile', { params, file: new File(['firmware'], 'ours.crbfw') })
  },
  uploadFirmwareRelease: async () => () => release(),
  offerFirmwareRelease: async () => {
    const params = await withWithdrawnRelease()
    return () => staff.call('offerFirmwareRelease', { params, body: { isOffered: true } })
  },
  deleteFirmwareRelease: async () => {
    const params = await withWithdrawnRelease()
    return () => staff.call('deleteFirmwareRelease', { params })
  },
  ...reapplyWrites(server, async () => (await release()).body.version),
  ...rolloutWrites(server),
  ...libraryWrites(server),
  makeGoCode: async () => {
    const person = await member()
    return () => person.call('makeGoCode', { body: { device: 'CR2700', commands: ['SYAZTCSEN1'] } })
  },
  enrollHost: async () => {
    const { id, organization } = await server.zone()
    const token = await server.licence(organization)
    const host = { zoneId: id, hostName: 'HOST-02', timeZone: 'Europe/Berlin', agentVersion: '1.0.0', credentialHash: 'a'.repeat(64) }
    return () => server.call('enrollHost', { body: host }, { token })
  },
  checkIn: async () => {
    const { zone, host } = await withHost()
    await host.checkIn([reader('A')])
    const other = await server.host(zone, 'HOST-02')
    return () => other.checkIn([reader('A')])
  },
  reportOutcomes: async () => {
    const { zone, host, organizationId } = await withHost()
    await host.checkIn([reader('A')])
    const { device, version } = (await release()).body
    const params = { organizationId, location: zone.id, device }
    await zone.manager.call('publishFirmwareVersion', { params, body: { firmwareVersion: version, when: 'now' } })
    const publication = (await host.call('getDesired')).body.firmware[0]!.publication
    const outcome = { publication, serialNumber: 'A', outcome: 'applied', reason: null, at: new Date().toISOString() }
    return () => host.call('reportOutcomes', { body: { outcomes: [outcome] } })
  },
  logDevices: async () => {
    const person = await member()
    const record = { deviceId: 'A', model: 'TC58', at: new Date().toISOString() }
    return () => person.call('logDevices', { body: { records: [record] } })
  },
  reportProgress: async () => {
    const { zone, host, organizationId } = await withHost()
    await host.checkIn([reader('A')])
    await zone.manager.call('publishCfg', { params: { organizationId, location: zone.id, device: 'CR2700' }, body: { cfg } })
    const publication = (await host.call('getDesired')).body.configurations[0]!.publication
    return () => host.call('reportProgress', { body: { progress: [{ publication, serialNumber: 'A', percent: 40 }] } })
  },
}

/** Calls that are writes by their method alone. */
const keepNothing: EndpointName[] = ['makeGoCode', 'previewPublication']

/** What a write leaves beside its own entry. */
const leavesToo: Partial<Record<WriteName, string>> = { rollBackRollout: 'ZoneConfigChange', revokeLicence: 'removeHost' }

/** A digest of each table but the audit log, by table name. */
async function everything(): Promise<Map<string, string | null>> {
  const { rows: tables } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'
    and tablename not in ('audit_entry', 'audit_count', 'audit_fold') order by 1`.execute(db)
  const digests = tables.map(
    ({ name }) => `select '${name}' as name, md5(string_agg(t::text, E'\\n' order by t::text)) as digest from "${name}" t`,
  )
  const { rows } = await sql<{ name: string; digest: string | null }>`${sql.raw(digests.join(' union all '))}`.execute(db)
  return new Map(rows.map(({ name, digest }) => [name, digest]))
}

async function changedSince(before: Map<string, string | null>): Promise<string[]> {
  return [...(await everything())].filter(([name, digest]) => before.get(name) !== digest).map(([name]) => name)
}

async function entriesSince(start: string) {
  const entries = db.selectFrom('audit_entry').select(['change_type', 'organization_id', 'address', 'request_id', 'initiator_email'])
  return entries.where('id', '>', start).execute()
}

async function refusingEntries<T>(work: () => Promise<T>): Promise<T> {
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$`.execute(db)
  await sql`create trigger refuse before insert on audit_entry for each row execute function refuse()`.execute(db)
  try {
    return await work()
  } finally {
    await sql`drop function refuse cascade`.execute(db)
  }
}

describe.each(Object.entries(scenarios))('%s', (name, scenario) => {
  const { audit, changes, access } = endpoints[name as WriteName] as Extract<Endpoint, { audit: AuditRule }>

  /** The write's subjects are those that show the changed tables. No page waits for a program's call. */
  function expectSubjects(tables: string[]) {
    if (access === 'agent' || access === 'licence') return
    const shown = tables.filter((table) => !unshownTables.includes(table))
    const named = changes.flatMap((subject) => subjectTables[subject])
    expect(shown.filter((table) => !named.includes(table))).toEqual([])
    expect(changes.filter((subject) => !subjectTables[subject].some((table) => shown.includes(table)))).toEqual([])
  }

  if (typeof audit !== 'string') {
    test(keepNothing.includes(name as WriteName) ? 'keeps nothing' : 'leaves nothing in the audit log', async () => {
      const call = await scenario()
      const [start, before] = [uuidv7(), await everything()]
      expect([200, 204]).toContain((await call()).status)
      expect(await entriesSince(start)).toEqual([])
      const changed = await changedSince(before)
      expect(changed.length === 0).toBe(keepNothing.includes(name as WriteName))
      expectSubjects(changed)
    })
    return
  }

  test('changes nothing where its entry cannot be written', async () => {
    const call = await scenario()
    const before = await everything()
    expect((await refusingEntries(call)).status).toBe(500)
    expect(await changedSince(before)).toEqual([])
  })

  test(`leaves one ${audit} that says where it came from, and names what shows the changed tables`, async () => {
    const call = await scenario()
    const [start, before] = [uuidv7(), await everything()]
    const answer = await call()
    expect([200, 204]).toContain(answer.status)
    const requestId = answer.headers.get('x-request-id')
    const entries = (await entriesSince(start)).filter(({ change_type }) => change_type !== leavesToo[name as WriteName])
    expect(entries).toMatchObject([{ change_type: audit, address: '127.0.0.1', request_id: requestId }])
    const changed = await changedSince(before)
    expect(changed).not.toEqual([])
    expectSubjects(changed)
  })
})

test('a write that does not say what it leaves in the audit log does not compile', () => {
  // @ts-expect-error Property 'audit' is missing
  const endpoint: Endpoint = { method: 'POST', path: '/', access: 'self', summary: 'Changes something', changes: [] }
  expect(endpoint).not.toHaveProperty('audit')
})
