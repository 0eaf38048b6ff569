import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'
import { until } from '../testing/until.ts'

const server = await serverForFile()
const staff = await server.person({ permissions: ['global:access:organizations'] })
const incoming = () => readdir(join(server.settings.dataDir, 'contents', 'incoming'))
const releases = async () => (await staff.call('listFirmwareReleases')).body

/** Begins an upload of which only the beginning is sent. */
function begin(path: string, token: string): ClientRequest {
  const sending = request(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b', 'content-length': 50_000_000 },
  })
  sending.on('error', () => {})
  sending.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.crvfw"\r\n\r\n')
  sending.write(Buffer.alloc(1_000_000, 1))
  return sending
}

test('an upload that is cut in the middle leaves nothing, of a release as of a customer’s own file', async () => {
  const zone = await server.zone()
  const zonePath = `/api/codedm/organization/${zone.organization.id}/location/${zone.id}/device/CR2700/firmware/file`
  const paths = [['/api/lectern/admin/firmware', staff.token] as const, [zonePath, zone.manager.token] as const]
  for (const [path, token] of paths) {
    const sending = begin(path, token)
    await until(async () => (await incoming()).length === 1)
    sending.destroy()
    await until(async () => (await incoming()).length === 0)
  }
  expect(await releases()).toEqual([])
  const params = { organizationId: zone.organization.id, location: zone.id, device: 'CR2700' }
  expect((await zone.manager.call('getZoneFirmware', { params })).body).toEqual({ version: null })
})

test('a large file comes out as it went in: whole, in ranges, and the rest of an interrupted download', async () => {
  const zone = await server.zone()
  const bytes = Buffer.from(Uint32Array.from({ length: 8 * 1024 * 1024 }, (_, place) => Math.imul(place, 2_654_435_761)).buffer)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const uploaded = await staff.call('uploadFirmwareRelease', {
    fields: { device: 'CR2700', version: '1.0' },
    file: new File([bytes], 'large.crvfw'),
  })
  expect(uploaded.body).toMatchObject({ contentHash: hash, size: 32 * 1024 * 1024 })
  const params = { organizationId: zone.organization.id, location: zone.id, device: 'CR2700' }
  await zone.manager.call('publishFirmwareVersion', { params, body: { firmwareVersion: 'latest' } })
  const host = await server.host(zone)
  const get = (headers = {}) =>
    server.fetch(`/api/agent/content/${hash}`, { headers: { authorization: `Bearer ${host.credential}`, ...headers } })
  const whole = await get()
  expect([whole.status, whole.headers.get('etag'), whole.headers.get('accept-ranges')]).toEqual([200, `"${hash}"`, 'bytes'])
  const digest = createHash('sha256')
  for await (const part of whole.body!) digest.update(part)
  expect(digest.digest('hex')).toBe(hash)
  const rest = await get({ range: 'bytes=33554000-', 'if-range': `"${hash}"` })
  expect([rest.status, rest.headers.get('content-range')]).toEqual([206, 'bytes 33554000-33554431/33554432'])
  expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(33_554_000))).toBe(true)
  const other = await get({ range: 'bytes=33554000-', 'if-range': '"another"' })
  expect(other.status).toBe(200)
  await other.arrayBuffer()
})
