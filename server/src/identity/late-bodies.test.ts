import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Permission } from '@lectern/contract/http/permissions.ts'
import { uuidv7 } from 'uuidv7'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'
import { until } from '../testing/until.ts'

const server = await serverForFile()
const incoming = () => readdir(join(server.settings.dataDir, 'contents', 'incoming'))

async function withMember(permissions: Permission[]) {
  const zone = await server.zone()
  const { organization } = zone
  const manager = await server.person({ organization, permissions: ['manage:people', 'manage:cfg', 'manage:firmware'] })
  const member = await server.person({ organization, permissions })
  const params = { organizationId: organization.id, memberId: member.userId }
  return {
    zone,
    organization,
    manager,
    member,
    path: `/api/codedm/organization/${organization.id}`,
    demote: () => manager.call('changeMemberRole', { params, body: { roleId: 'viewer' } }),
    remove: () => manager.call('removeMember', { params }),
  }
}

/** A call whose body has begun. */
function begin(method: string, path: string, token: string, type: string, beginning: string | Buffer): ClientRequest {
  const sending = request(`${server.url}${path}`, { method, headers: { authorization: `Bearer ${token}`, 'content-type': type } })
  onTestFinished(() => void sending.destroy())
  sending.on('error', () => {})
  sending.write(beginning)
  return sending
}

async function end(sending: ClientRequest, rest: string) {
  sending.end(rest)
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  const text = Buffer.concat(await response.toArray()).toString()
  return [response.statusCode, text === '' ? undefined : JSON.parse(text).detail]
}

const multipart = 'multipart/form-data; boundary=b'
const fileBegins = Buffer.concat([
  Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.crvfw"\r\n\r\n'),
  Buffer.alloc(1_000_000, 1),
])
const fileEnds = '\r\n--b--\r\n'

async function beginUpload({ path, zone }: Awaited<ReturnType<typeof withMember>>, token: string) {
  const before = await incoming()
  const sending = begin('POST', `${path}/location/${zone.id}/device/CR2700/firmware/file`, token, multipart, fileBegins)
  await until(async () => (await incoming()).some((name) => !before.includes(name)))
  return sending
}

// Milliseconds. A decision is trusted for two seconds, so that access ends within five.
const tooLong = 2_300
const gone = 'There is no such organization.'
const needed = 'This needs the permission “Publish firmware, manage zones”.'

describe('what a call may do is decided again once its body is there', () => {
  test.for<['remove' | 'demote', number, string]>([
    ['remove', 404, gone],
    ['demote', 403, needed],
  ])('[SES-01] a file that came while its member was under way out (%s) is not published, and not kept', async ([how, status, detail]) => {
    const place = await withMember(['manage:firmware'])
    const sending = await beginUpload(place, place.member.token)
    expect((await place[how]()).status).toBeLessThan(300)
    await sleep(tooLong)
    expect(await end(sending, fileEnds)).toEqual([status, detail])
    expect(await incoming()).toEqual([])
    const params = { organizationId: place.organization.id, location: place.zone.id, device: 'CR2700' }
    expect((await place.manager.call('getZoneFirmware', { params })).body).toEqual({ version: null })
  })

  test('[SES-01] nor does a JSON body that took as long do anything', async () => {
    const { path, member, manager, organization, zone, demote } = await withMember(['manage:firmware'])
    const sending = begin('PUT', `${path}/location/${zone.id}/note`, member.token, 'application/json', '{"note": ')
    await sleep(500)
    await demote()
    await sleep(tooLong)
    expect(await end(sending, '"Theirs"}')).toEqual([403, needed])
    const { body } = await manager.call('listZones', { params: { organizationId: organization.id } })
    expect(body[0]).not.toMatchObject({ note: expect.anything() })
  })

  test('[SES-01] nor that of a host PC whose credential is revoked', async () => {
    const { zone, organization, manager } = await withMember([])
    const host = await server.host(zone)
    const sending = begin('POST', '/api/agent/outcomes', host.credential, 'application/json', '{"outcomes":')
    await sleep(500)
    await manager.call('removeHost', { params: { organizationId: organization.id, host: host.hostId } })
    await sleep(tooLong)
    expect(await end(sending, '[]}')).toEqual([401, 'This host was removed from its zone. Enroll it again.'])
  })

  test('a token that expires while its body comes was good when the call began, and for no other call', async () => {
    const place = await withMember(['manage:firmware'])
    const token = await server.issuer.token(place.member.subject, { exp: Math.floor(Date.now() / 1_000) + 3, jti: uuidv7() })
    const sending = await beginUpload(place, token)
    await sleep(3_500)
    expect((await end(sending, fileEnds))[0]).toBe(200)
    const { status, problem } = await server.call('getCurrentUser', {}, { token })
    expect([status, problem.detail]).toEqual([401, 'The session has expired. Sign in again.'])
  })
})
