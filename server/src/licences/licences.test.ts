import type { LicenceInput } from '@lectern/contract/licences/licences.ts'
import fc from 'fast-check'
import { compactVerify, createLocalJWKSet } from 'jose'
import { expect, test } from 'vitest'
import type { TestOrganization } from '../testing/makers.ts'
import { serverForFile, startServer } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app
const decodeSdk = 2
const order = 'PO-2026-118'

async function member(organization?: TestOrganization) {
  const home = organization ?? (await server.organization())
  const person = await server.person({ organization: home, permissions: ['manage:licences'] })
  const params = { organizationId: home.id }
  const licence = (parts: object = {}): LicenceInput => ({ serialNumbers: ['27P0418853', '27P0418854'], ...parts })
  return {
    home,
    params,
    person,
    create: (parts: object = {}) => person.call('createLicence', { params, body: licence(parts) }),
    generate: (parts: object = {}) => person.call('generateLicence', { params, body: licence(parts) }),
    get: (id: string) => person.call('getLicence', { params: { ...params, id } }),
    list: (query: Record<string, unknown> = {}) => person.call('listLicences', { params, query }),
  }
}

/** What a licence file says, verified with the keys that the server publishes. */
async function verified(content: string) {
  const { body: keys } = await server.call('getVendorKeys')
  const { payload, protectedHeader } = await compactVerify(content, createLocalJWKSet(keys as never), { algorithms: ['EdDSA'] })
  return { header: protectedHeader, payload: JSON.parse(new TextDecoder().decode(payload)) }
}

test('[API-LIC-03 API-LIC-05 ENT-19] a licence is created for serial numbers, listed and read', async () => {
  const { person, create, get, list } = await member()
  const { status, body } = await create({ licenseNumber: 'LEC-OUR-NUMBER-1', purchaseOrderNumber: order })
  expect(status).toBe(200)
  const licence = {
    id: expect.any(String),
    serialNumbers: ['27P0418853', '27P0418854'],
    licenseNumber: 'LEC-OUR-NUMBER-1',
    purchaseOrderNumber: order,
    date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    licenseId: 1,
    hasFile: false,
    issuedBy: person.email,
  }
  expect(body).toEqual({ ...licence, file: null, activeHosts: 0 })
  expect((await get(body.id)).body).toEqual(body)
  const { file, activeHosts, ...listed } = body
  expect((await list()).body).toEqual({ licenses: [listed], pageSize: 10, pageNumber: 0, totalCount: 1 })
})

test('a licence without a number gets one that cannot be guessed, without a purchase order it has none', async () => {
  const { create } = await member()
  const { body } = await create({ licenseNumber: ' ', purchaseOrderNumber: '  ' })
  expect(body.licenseNumber).toMatch(/^LEC(-[A-HJ-NP-Z2-9]{5}){4}$/)
  expect(body.purchaseOrderNumber).toBeNull()
  expect((await create()).body.licenseNumber).not.toBe(body.licenseNumber)
})

test('serial numbers are without space around them, and each is there once', async () => {
  const { create } = await member()
  expect((await create({ serialNumbers: [' A ', 'B', 'A'] })).body.serialNumbers).toEqual(['A', 'B'])
})

test('[API-LIC-04 LIC-03] a generated licence has a file that the published key verifies, also when it is read again', async () => {
  const { generate, get, home, list } = await member()
  const { body } = await generate({ purchaseOrderNumber: order, licenseId: decodeSdk })
  const { header, payload } = await verified(body.file!.content)
  const { kid } = (await server.call('getVendorKeys')).body.keys[0]!
  expect(header).toEqual({ alg: 'EdDSA', typ: 'lectern-licence+jws', kid })
  expect(payload).toEqual({
    iss: server.settings.providerName,
    organization: { id: home.id, name: home.name },
    licenceType: 'Decode SDK',
    licenseNumber: body.licenseNumber,
    purchaseOrderNumber: order,
    serialNumbers: body.serialNumbers,
    date: body.date,
  })
  expect(body.file!.name).toBe(`${body.licenseNumber}.licence`)
  expect((await get(body.id)).body).toEqual(body)
  expect((await list()).body.licenses[0]!.hasFile).toBe(true)
})

test('[LIC-03] whatever a licence says, its file says the same', async () => {
  const { generate } = await member()
  const line = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => !/[\p{Cc}\p{Cf}]/u.test(text) && /[\p{L}\p{N}]/u.test(text))
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(line, { minLength: 1, maxLength: 6 }), fc.option(line), async (serialNumbers, purchaseOrderNumber) => {
      const { body } = await generate({ serialNumbers, purchaseOrderNumber })
      const { payload } = await verified(body.file!.content)
      expect(payload).toMatchObject({
        serialNumbers: body.serialNumbers,
        purchaseOrderNumber: body.purchaseOrderNumber,
        licenseNumber: body.licenseNumber,
      })
      expect(body.serialNumbers).toEqual([...new Set(serialNumbers.map((serial) => serial.trim().normalize('NFC')))])
    }),
    { numRuns: 25 },
  )
})

test('the vendor has one key, after a restart and on every server of the database; the private half is never served', async () => {
  const { text, headers } = await server.call('getVendorKeys')
  const second = await startServer({ databaseUrl: server.databaseUrl })
  try {
    expect((await second.call('getVendorKeys')).text).toBe(text)
  } finally {
    await second.stop()
  }
  expect(headers.get('content-type')).toContain('application/json')
  expect(Object.keys(JSON.parse(text).keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
})

test('a licence that is generated again with the same key is one licence with one file', async () => {
  const { person, params, list } = await member()
  const again = () => person.call('generateLicence', { params, body: { serialNumbers: ['A'] } }, { 'idempotency-key': 'once' })
  expect((await again()).text).toBe((await again()).text)
  expect((await list()).body.totalCount).toBe(1)
})

test('[API-LIC-02 ENT-20] the types say which need a purchase order, and which counts where none is named', async () => {
  const { person, params } = await member()
  expect((await person.call('listLicenceTypes', { params })).body).toEqual([
    { licenseId: 1, name: 'Companion app', needPurchaseOrder: false, isDefault: true },
    { licenseId: 2, name: 'Decode SDK', needPurchaseOrder: true, isDefault: false },
    { licenseId: 3, name: 'Evaluation', needPurchaseOrder: false, isDefault: false },
  ])
})

test.for([undefined, null, '', '   '])(
  '[LIC-02] a type that needs a purchase order refuses %j, at the field',
  async (purchaseOrderNumber) => {
    const { create, generate, list } = await member()
    const message = 'A licence of the type Decode SDK needs a purchase order number.'
    for (const record of [create, generate]) {
      const { status, problem } = await record({ licenseId: decodeSdk, purchaseOrderNumber })
      expect([status, problem.detail, problem.errors]).toEqual([400, message, [{ field: 'purchaseOrderNumber', message }]])
    }
    expect((await list()).body.totalCount).toBe(0)
    expect((await create({ licenseId: decodeSdk, purchaseOrderNumber: order })).status).toBe(200)
  },
)

test("[LIC-02] without a type the organization's default type counts", async () => {
  const { create, home } = await member()
  expect((await create()).body.licenseId).toBe(1)
  await db.updateTable('organization').set({ licence_type_id: decodeSdk }).where('id', '=', home.key).execute()
  expect((await create()).problem.errors?.[0]?.field).toBe('purchaseOrderNumber')
  expect((await create({ purchaseOrderNumber: order })).body.licenseId).toBe(decodeSdk)
})

test.for<[string, object, string]>([
  ['no serial numbers', { serialNumbers: [] }, 'serialNumbers'],
  ['serial numbers that are no list', { serialNumbers: 'A' }, 'serialNumbers'],
  ['a blank serial number', { serialNumbers: ['A', ' '] }, 'serialNumbers.1'],
  ['a serial number of two lines', { serialNumbers: ['A\nB'] }, 'serialNumbers.0'],
  ['a serial number with a NUL', { serialNumbers: ['A\0'] }, 'serialNumbers.0'],
  ['a serial number with half of a character', { serialNumbers: ['\ud800'] }, 'serialNumbers.0'],
  ['a serial number that is too long', { serialNumbers: ['x'.repeat(65)] }, 'serialNumbers.0'],
  ['too many serial numbers', { serialNumbers: Array.from({ length: 501 }, (_, n) => `${n}`) }, 'serialNumbers'],
  ['a number that can be guessed', { licenseNumber: '12345678901' }, 'licenseNumber'],
  ['a number with a space in it', { licenseNumber: 'LEC 1234567890' }, 'licenseNumber'],
  ['a number that is too long', { licenseNumber: 'L'.repeat(65) }, 'licenseNumber'],
  ['a purchase order that is too long', { purchaseOrderNumber: 'x'.repeat(65) }, 'purchaseOrderNumber'],
  ['a purchase order with a NUL', { purchaseOrderNumber: '\0' }, 'purchaseOrderNumber'],
  ['a type that is none', { licenseId: 99 }, 'licenseId'],
  ['a type that is no number', { licenseId: 'sdk' }, 'licenseId'],
])('refuses %s, at its field', async ([, parts, field]) => {
  const { create } = await member()
  const { status, problem } = await create(parts)
  expect([status, problem.errors?.[0]?.field]).toEqual([400, field])
})

test('a number is taken once, whoever has it', async () => {
  const [one, other] = [await member(), await member()]
  const licenseNumber = 'LEC-TAKEN-NUMBER'
  expect((await one.create({ licenseNumber })).status).toBe(200)
  for (const { create } of [one, other]) {
    const { status, problem } = await create({ licenseNumber })
    const message = 'The licence number LEC-TAKEN-NUMBER is taken.'
    expect([status, problem.errors]).toEqual([409, [{ field: 'licenseNumber', message }]])
  }
})

test("another organization's licence is one that does not exist", async () => {
  const [one, other] = [await member(), await member()]
  const { body } = await one.generate()
  const { status, problem } = await other.get(body.id)
  expect([status, problem.detail]).toEqual([404, 'There is no such licence.'])
  expect((await other.list()).body.totalCount).toBe(0)
})

test('a created and a generated licence each enrol a host PC, in their own organization only', async () => {
  const zone = await server.zone()
  const { create, generate } = await member(zone.organization)
  const other = await server.zone()
  const host = { hostName: 'HOST-01', timeZone: 'Europe/Berlin', agentVersion: '1.0.0' }
  for (const [index, { body }] of [await create(), await generate()].entries()) {
    const enrolment = { ...host, zoneId: zone.id, credentialHash: String(index).repeat(64) }
    expect((await server.call('enrollHost', { body: enrolment }, { token: body.licenseNumber })).status).toBe(200)
    expect((await server.call('enrollHost', { body: { ...enrolment, zoneId: other.id } }, { token: body.licenseNumber })).status).toBe(404)
  }
})
