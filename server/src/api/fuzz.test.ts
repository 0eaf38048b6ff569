import { ReportedDevice } from '@lectern/contract/hosts.ts'
import { Permission } from '@lectern/contract/http/permissions.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Credentials, fuzz } from '../testing/fuzz/fuzz.ts'
import { Memory } from '../testing/fuzz/requests.ts'
import { rolloutZone } from '../testing/rollout-zone.ts'
import { serverForFile } from '../testing/server.ts'
import type { ApiDocument } from './document.ts'

/** `npm run check:fuzz` sends more. */
const requests = Number(process.env.LECTERN_FUZZ_REQUESTS ?? 2_000)
const seed = Number(process.env.LECTERN_FUZZ_SEED ?? 1)

const server = await serverForFile({
  environment: { RATE_LIMIT: '10000000', OUTCOMES_PER_MINUTE: '1000000', NEW_READERS_PER_HOUR: '100000', STREAMS_PER_ACCOUNT: '100' },
})
const memory = new Memory()
let credentials: Credentials
let document: ApiDocument

const yesOrNo = ['true', 'false']
/** What the document's schemas do not say of a text. */
const examples = {
  onlyBadBattery: yesOrNo,
  onlyOffline: yesOrNo,
  onlyWarrantyExpired: yesOrNo,
  onlyDrifted: yesOrNo,
  onlyLost: yesOrNo,
  forLater: yesOrNo,
  cfg: '<cfg>third</cfg>',
  timeZone: ['UTC', 'Europe/Berlin'],
  firmwareVersion: '1.0',
  version: ['1.0', '2.0.1'],
  agentVersion: '1.0.0',
  licenseNumber: 'LEC-0123456789ab',
  phone: '+1 800 555 0142',
  phoneNumber: '+1 800 555 0142',
  url: 'https://example.com/a.pdf',
  commands: ['CFR', 'SYAZTCSEN1'],
  body: ['CFR', 'SYAZTCSEN1', 'CDOPSFO1'],
  title: 'A title',
  workEmail: 'person@people.example',
  adsUrl: 'https://example.com',
  adsImage: 'https://example.com/a.png',
  productImage: 'https://example.com/a.png',
  adsStartDate: '2026-01-01',
  adsEndDate: '2030-01-01',
  model: 'CR2700',
  codeMasterId: [1, 2],
  productIds: [1, 2, 3],
}

/** People of every kind, and records to begin with. */
beforeAll(async () => {
  document = (await (await server.fetch('/api/openapi.json')).json()) as ApiDocument
  const report = document.paths['/api/agent/check-in']?.post?.requestBody?.content as unknown as Record<
    string,
    { schema: { properties: { devices: object } } }
  >
  const { $schema, ...device } = z.toJSONSchema(ReportedDevice, { io: 'input', unrepresentable: 'any' })
  // The document does not say what a reader is, as an invalid one does not refuse the others.
  Object.assign(report['application/json']!.schema.properties.devices, { items: device })

  const { zone, host, publish, report: reportOutcomes } = await rolloutZone(server)
  const { id: first } = await publish('first')
  await reportOutcomes(['A', 'applied'], ['B', 'failed'])
  await publish('second')
  const { organization } = zone
  const foreign = await server.zone()
  const permissions = Permission.options.filter((permission) => !permission.startsWith('global:'))
  const people = await Promise.all([
    ...[...Array(8).fill(permissions), []].map((some) => server.person({ organization, permissions: some })),
    server.person({ organization: foreign.organization, permissions }),
    server.person({ permissions: Permission.options }),
    server.person({ permissions: Permission.options, organization }),
    server.person(),
  ])
  credentials = {
    person: people.map(({ token }) => token),
    agent: [host.credential, (await server.host(foreign)).credential],
    licence: [await server.licence(organization), await server.licence(foreign.organization)],
  }
  for (let weight = 0; weight < 20; weight += 1) memory.add('organizationId', organization.id)
  memory.add('', { organizationId: foreign.organization.id, location: zone.id, rollout: first, serialNumber: ['A', 'B', 'C', 'D'] })
  memory.add('', examples)
  memory.add('', { id: [organization.groupId, foreign.organization.groupId], host: host.hostId })
})

const run = (options: Partial<Parameters<typeof fuzz>[0]> = {}) =>
  fuzz({ url: server.url, document, credentials, memory, requests, seed, ...options })

test(`[FLT-02] requests made from the API document, seed ${seed}: no status of 500 or more, none that the document does not have`, {
  timeout: 60_000 + requests * 50,
}, async () => {
  const start = performance.now()
  const { findings, statuses, done } = await run()
  const seconds = (performance.now() - start) / 1_000
  console.log(`${requests} requests in ${seconds.toFixed(0)} s: ${JSON.stringify(statuses)}; ${done.size} operations were done`)
  const never = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
  console.log(`Never done: ${never.filter((name) => !done.has(name)).join(', ')}`)
  const errors = server.lines.filter((line) => line.includes('"level":50'))
  expect({ findings, errors }).toEqual({ findings: [], errors: [] })
  expect(done.size).toBeGreaterThan(Math.min(50, requests / 10))
})

test('[FLT-02] a fault of the server is found, with the request that shows it', async () => {
  const { db } = server.app
  await sql`create function break_names() returns trigger language plpgsql as $$
    begin if length(new.name) > 30 then raise exception 'a fault'; end if; return new; end $$`.execute(db)
  await sql`create trigger broken before insert on zone for each row execute function break_names()`.execute(db)
  const { findings } = await run({ requests: 300, only: ['createZone', 'listZones'] })
  await sql`drop trigger broken on zone`.execute(db)
  expect(findings[0]).toMatchObject({ problem: 'The status is 500.', request: expect.stringMatching(/^POST .*\/location\/.{31,} /) })
})

test('[FLT-02] a response that the document does not have is found', async () => {
  const other = structuredClone(document) as unknown as { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> }
  const { responses } = other.paths['/api/codedm/organization/{organizationId}/locations/list']!.get!
  const { content } = responses['200'] as { content: Record<string, { schema: { items: { required: string[] } } }> }
  content['application/json']!.schema.items.required.push('colour')
  const { findings } = await run({ requests: 100, only: ['listZones'], document: other as unknown as ApiDocument })
  expect(findings[0]?.problem).toBe("The response breaks its schema: data/0 must have required property 'colour'")
})
