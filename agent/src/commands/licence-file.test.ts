import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { licenceFileAlgorithm, licenceFileType } from '@lectern/contract/licences/licence-file.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { folderAt } from '../state/folder.ts'
import { Stop } from '../stop.ts'
import { newFolder } from '../testing/folder.ts'
import { memoryLog } from '../testing/log.ts'
import { json, problem, startPeer } from '../testing/peer.ts'
import { enroll } from './enroll.ts'
import { describeLicence, verifyLicence } from './licence-file.ts'

const never = new AbortController().signal
const zoneId = '0198c0de-0001-7000-8000-000000000001'
const organization = { id: 'organization', name: 'Northfield Regional Health' }
const licence = {
  iss: 'Quiet Zone Devices',
  organization,
  licenceType: 'Companion app',
  licenseNumber: 'LEC-AAAAA-BBBBB-CCCCC-DDDDD',
  purchaseOrderNumber: 'PO-7',
  serialNumbers: ['27P0418853', 'Ø-2'],
  date: '2026-03-01T08:30:00.000Z',
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A vendor with a key of its own. */
function vendor(name = 'vendor') {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x } = publicKey.export({ format: 'jwk' })
  const key = { kty: 'OKP', crv: 'Ed25519', x: x!, kid: createHash('sha256').update(name).digest('hex'), alg: 'EdDSA', use: 'sig' } as const
  const header = { alg: licenceFileAlgorithm, typ: licenceFileType, kid: key.kid }
  const signed = (payload: unknown, parts: object = {}) => {
    const text = `${encoded({ ...header, ...parts })}.${encoded(payload)}`
    return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
  }
  return { keys: { keys: [key] }, signed }
}

const { keys, signed } = vendor()
const genuine = signed(licence)

function saved(text: string | Buffer, name = 'a.licence'): string {
  const file = join(newFolder(), name)
  writeFileSync(file, text)
  return file
}

const options = (server: string, given: string, more: object = {}) => ({
  state: newFolder(),
  server,
  licence: given,
  vendorKey: null,
  name: 'NRH-01',
  timeZone: null,
  replace: false,
  agentVersion: '1',
  ...more,
})

/** A server that publishes keys and enrolls every host. */
const portal = (published: object = keys) =>
  startPeer((call, response) =>
    json(
      response,
      200,
      call.path === '/api/licensing/keys' ? published : { hostId: 'host', organizationId: 'organization', zoneName: 'ICU 3' },
    ),
  )
const enrollments = (calls: { path: string }[]) => calls.filter(({ path }) => path === '/api/agent/enroll')

test('[LIC-03] what the vendor signed is read as it was, whatever it says', () => {
  const text = fc.string({ unit: 'grapheme' })
  const payload = fc.record({
    iss: text,
    organization: fc.record({ id: text, name: fc.option(text) }),
    licenceType: text,
    licenseNumber: text,
    purchaseOrderNumber: fc.option(text),
    serialNumbers: fc.array(text),
    date: fc.constant(licence.date),
  })
  fc.assert(fc.property(payload, (said) => void expect(verifyLicence(`${signed(said)}\r\n`, keys)).toEqual(said)))
})

test('[LIC-03] a file of which any character was changed, left out or added is refused', () => {
  const place = fc.nat(genuine.length - 1)
  const change = fc.constantFrom(
    (at: number) => genuine.slice(0, at) + (genuine[at] === 'A' ? 'B' : 'A') + genuine.slice(at + 1),
    (at: number) => genuine.slice(0, at) + genuine.slice(at + 1),
    (at: number) => `${genuine.slice(0, at)}A${genuine.slice(at)}`,
    (at: number) => genuine.slice(0, at),
  )
  fc.assert(
    fc.property(place, change, (at, changed) => {
      fc.pre(changed(at) !== genuine)
      expect(() => verifyLicence(changed(at), keys)).toThrow(/no licence file|not signed with a key|changed after it was signed/)
    }),
    { numRuns: 500 },
  )
  // The last character of a signature has unused bits. A fourth part would not be signed.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const spelledOtherwise = genuine.slice(0, -1) + alphabet[alphabet.indexOf(genuine.at(-1)!) ^ 1]
  for (const text of [spelledOtherwise, `${genuine}.`, `${genuine}.e30`, genuine.replace('.', ' .')])
    expect(() => verifyLicence(text, keys)).toThrow(Stop)
})

test.for<[string, string, RegExp]>([
  ['of another vendor', vendor('other').signed(licence), /not signed with a key of the vendor/],
  ['of another vendor under our key’s name', vendor().signed(licence), /changed after it was signed/],
  ['without a signature', `${encoded({ alg: 'none', typ: licenceFileType })}.${encoded(licence)}.`, /no licence file/],
  ['with another algorithm', signed(licence, { alg: 'HS256' }), /no licence file/],
  ['of another kind', signed(licence, { typ: 'JWT' }), /no licence file/],
  ['with a header that must be understood', signed(licence, { crit: ['exp'] }), /no licence file/],
  ['that says something else', signed({ hello: 'world' }), /does not know/],
  ['that is empty', '', /no licence file/],
  ['of something else', '<html>', /no licence file/],
])('[LIC-03] a file %s is refused in words', ([, text, words]) => {
  expect(() => verifyLicence(text, keys)).toThrow(words)
})

test('[LIC-03] a licence file enrolls with its number, once the key that the server gives fits; from then on that key is trusted', async () => {
  const peer = await portal()
  const file = saved(genuine)
  const given = options(peer.url, file)
  await enroll(saved(zoneId, 'Location.ctxdm'), given, memoryLog(), never)
  expect(peer.calls.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ['/api/licensing/keys', undefined],
    ['/api/agent/enroll', `Bearer ${licence.licenseNumber}`],
  ])
  // Offline: the server is not asked again.
  expect(await describeLicence(file, given)).toEqual([
    'This licence is genuine: Quiet Zone Devices signed it.',
    'Number:         LEC-AAAAA-BBBBB-CCCCC-DDDDD',
    'Type:           Companion app',
    'Organization:   Northfield Regional Health',
    'Purchase order: PO-7',
    'Date:           2026-03-01',
    'Serial numbers: 2',
    '  27P0418853',
    '  Ø-2',
  ])
  const other = vendor('other')
  const later = await portal(other.keys)
  const forged = { ...given, server: later.url, licence: saved(other.signed(licence)) }
  await expect(enroll(saved(zoneId), forged, memoryLog(), never)).rejects.toThrow(/not signed with a key of the vendor that this PC trusts/)
  expect(later.calls).toEqual([])
  await enroll(saved(zoneId), { ...forged, replace: true }, memoryLog(), never)
  expect(enrollments(later.calls)).toHaveLength(1)
})

test('[LIC-03] a key that is given beside it is the only one that counts, whatever the server says', async () => {
  const peer = await portal(vendor('other').keys)
  const vendorKey = saved(JSON.stringify(keys.keys[0]), 'vendor.json')
  await enroll(saved(zoneId), options(peer.url, saved(genuine), { vendorKey }), memoryLog(), never)
  expect(peer.calls.map(({ path }) => path)).toEqual(['/api/agent/enroll'])
  const foreign = options(peer.url, saved(vendor('other').signed(licence)), { vendorKey: saved(JSON.stringify(keys)) })
  await expect(enroll(saved(zoneId), foreign, memoryLog(), never)).rejects.toMatchObject({ exitCode: 2 })
  expect(enrollments(peer.calls)).toHaveLength(1)
})

test('[INP-02] a number that was copied with blanks around it enrolls, and a name is said as the portal stores it', async () => {
  for (const given of [' LEC-1 ', '\u00a0LEC-1\t', 'LEC-1\r\n', '\ufeffLEC-1']) {
    const peer = await portal()
    const log = memoryLog()
    await enroll(saved(zoneId), options(peer.url, given, { name: ' Bu\u0308ro\u00a0' }), log, never)
    expect(peer.calls.map(({ headers, body }) => [headers.authorization, (body as { hostName: string }).hostName])).toEqual([
      ['Bearer LEC-1', 'B\u00fcro'],
    ])
    expect(log.lines.join('\n')).toContain('This PC is enrolled as B\u00fcro in the zone')
  }
})

test('[INP-04] licence files and keys are read as an editor or a shell saved them', async () => {
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
  const vendorKey = saved(utf16(JSON.stringify(keys)), 'vendor.json')
  const given = { state: newFolder(), vendorKey }
  expect(await describeLicence(saved(utf16(genuine)), given)).toContain('Organization:   Northfield Regional Health')
})

test('[LIC-03] enrolled by number, the PC trusts the key that came with the answer', async () => {
  const peer = await startPeer((_call, response) =>
    json(response, 200, { hostId: 'host', organizationId: 'organization', zoneName: 'ICU 3', vendorKeys: keys }),
  )
  const given = options(peer.url, 'LEC-1')
  await enroll(saved(zoneId), given, memoryLog(), never)
  expect((await describeLicence(saved(genuine), given))[0]).toContain('is genuine')
  const foreign = saved(signed({ ...licence, organization: { id: 'other', name: 'Harborline Logistics' } }))
  await expect(describeLicence(foreign, given)).rejects.toThrow('is genuine, but it belongs to Harborline Logistics')
})

test("[LIC-03] a tampered file is refused before anything is sent, and another organization's in the words of the server", async () => {
  const words = 'This licence number does not belong to the zone of this location file, or the zone was deleted.'
  const peer = await startPeer((call, response) =>
    call.path === '/api/licensing/keys' ? json(response, 200, keys) : json(response, 404, problem(404, words)),
  )
  const tampered = genuine.replace('.', '.A')
  const given = options(peer.url, saved(tampered))
  await expect(enroll(saved(zoneId), given, memoryLog(), never)).rejects.toThrow(/changed after it was signed/)
  expect(enrollments(peer.calls)).toEqual([])
  const refused = options(peer.url, saved(genuine))
  await expect(enroll(saved(zoneId), refused, memoryLog(), never)).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining(words),
  })
  expect(existsSync(folderAt(refused.state).vendorKeys)).toBe(false)
})

test.for<[string, () => object, string]>([
  ['a path that is no file', () => ({ licence: '/nowhere/a.licence' }), 'no licence number, and as a licence file it cannot be read'],
  ['a key that is not there', () => ({ vendorKey: join(newFolder(), 'none') }), 'does not exist'],
  ['a key that is none', () => ({ vendorKey: saved('{"keys":[]}') }), 'has no key of a vendor'],
])('%s is refused, with a reason, before the server is asked', async ([, more, message]) => {
  await expect(enroll(saved(zoneId), options('http://127.0.0.1:9', 'LEC-1', more()), memoryLog(), never)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(message),
  })
})

test('a PC that trusts no vendor yet says what to do', async () => {
  await expect(describeLicence(saved(genuine), { state: newFolder(), vendorKey: null })).rejects.toThrow('--vendor-key')
  const lines = await describeLicence(saved(genuine), { state: newFolder(), vendorKey: saved(JSON.stringify(keys)) })
  expect(lines).toContain('Organization:   Northfield Regional Health')
})
