import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { endpoints } from '@lectern/contract/endpoints.ts'
import type { Endpoint } from '@lectern/contract/http/endpoint.ts'
import { Permission } from '@lectern/contract/http/permissions.ts'
import { uuidv7 } from 'uuidv7'
import { expect, onTestFinished, test } from 'vitest'
import { serverForFile, startServer } from '../../testing/server.ts'

const server = await serverForFile({ environment: { BODIES_AT_ONCE: '' } })
const zone = await server.zone()
const staff = await server.person({ permissions: Permission.options })
const tokens = { agent: (await server.host(zone)).credential, licence: await server.licence(zone.organization), person: staff.token }

const tokenFor = ({ access }: Endpoint) => (access === 'agent' || access === 'licence' ? tokens[access] : tokens.person)

function send(endpoint: Endpoint, token: string, contentLength: number, url = server.url): ClientRequest {
  const path = endpoint.path.replace('{organizationId}', zone.organization.id).replace(/\{\w+\}/g, uuidv7())
  const headers = { 'content-type': 'application/json', 'content-length': contentLength, authorization: `Bearer ${token}` }
  const sending = request(`${url}${path}`, { method: endpoint.method, headers })
  sending.on('error', () => {})
  onTestFinished(() => void sending.destroy())
  sending.flushHeaders()
  return sending
}

async function responseTo(sending: ClientRequest) {
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  const text = Buffer.concat(await response.toArray()).toString()
  return { status: response.statusCode, retryAfter: response.headers['retry-after'], detail: JSON.parse(text).detail as string | undefined }
}

const withBody = (Object.entries(endpoints) as [string, Endpoint][]).filter(([, { body }]) => body)

test.each(withBody)('[LMT-01] %s refuses a body over its limit before any of it is sent', async (_, endpoint) => {
  const { maxBodyBytes = 65_536 } = endpoint
  const { status, detail } = await responseTo(send(endpoint, tokenFor(endpoint), maxBodyBytes + 1))
  const [, size, unit] = /^The body is larger than (\d+(?:\.\d)?) ([KM]B)\.$/.exec(detail!) ?? []
  expect([status, Number(size) * (unit === 'KB' ? 1_024 : 1_048_576)]).toEqual([413, maxBodyBytes])
})

test('[LMT-01] the device log takes at most 1 MB, and what names no limit 64 kB', () => {
  expect(endpoints.logDevices.maxBodyBytes).toBe(1_048_576)
  expect(endpoints.createZone).not.toHaveProperty('maxBodyBytes')
})

test('[LMT-03] a caller has at most eight bodies under way; others go on, and so does the caller when one has ended', async () => {
  const { updateCurrentUser } = endpoints
  const [busy, other] = [await server.person(), await server.person()]
  const body = JSON.stringify({ firstName: 'Ada' })
  const open = Array.from({ length: 8 }, () => send(updateCurrentUser, busy.token, body.length))
  const ninth = async () => {
    const sending = send(updateCurrentUser, busy.token, 2)
    sending.end('[]')
    return (await responseTo(sending)).status
  }
  // The eight are there once a ninth is refused.
  await expect.poll(ninth).toBe(429)
  expect(await responseTo(send(updateCurrentUser, busy.token, body.length))).toEqual({
    status: 429,
    retryAfter: '1',
    detail: 'Send at most 8 bodies at once. Try again in a moment.',
  })
  const free = send(updateCurrentUser, other.token, body.length)
  free.end(body)
  expect((await responseTo(free)).status).toBe(200)

  open[0]!.end(body)
  expect((await responseTo(open[0]!)).status).toBe(200)
  const next = send(updateCurrentUser, busy.token, body.length)
  next.end(body)
  expect((await responseTo(next)).status).toBe(200)
})

test('[LMT-03] how many that are is a setting; whoever leaves frees a place', async () => {
  const own = await startServer({ environment: { BODIES_AT_ONCE: '1' } })
  onTestFinished(own.stop)
  const { token } = await own.person()
  const { updateCurrentUser } = endpoints
  const noJson = 'no JSON'
  const first = send(updateCurrentUser, token, noJson.length, own.url)
  const status = async () => {
    const next = send(updateCurrentUser, token, noJson.length, own.url)
    next.end(noJson)
    return (await responseTo(next)).status
  }
  await expect.poll(status).toBe(429)
  first.destroy()
  await expect.poll(status).toBe(400)
})
