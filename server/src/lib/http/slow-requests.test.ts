import { connect } from 'node:net'
import { endpoints } from '@lectern/contract/endpoints.ts'
import { expect, test } from 'vitest'
import { serverForFile } from '../../testing/server.ts'

const server = await serverForFile({ environment: { REQUEST_TIMEOUT: '1' } })
const embedded = await serverForFile({ environment: { REQUEST_TIMEOUT: '1', AUTH_DOMAIN: '', EMBEDDED_IDP: 'on' } })

/** Sends the beginning of a request and nothing more. Returns what comes back until the connection ends. */
async function begin({ url }: { url: string }, lines: string[], body = ''): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  socket.write(`${lines.join('\r\n')}${body}`)
  return Buffer.concat(await socket.toArray()).toString()
}

const isTooSlow = (answer: string) => {
  expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(answer).toContain('The request did not arrive in time.')
}

test('headers that do not come to their end are cut off', async () => {
  isTooSlow(await begin(server, ['GET /livez HTTP/1.1', 'host: portal']))
})

test('a body that does not go on is cut off, and nothing of it is done', async () => {
  const { token, call } = await server.person()
  const { method, path } = endpoints.updateCurrentUser
  const head = [`${method} ${path} HTTP/1.1`, 'host: portal', 'content-type: application/json', 'content-length: 900']
  isTooSlow(await begin(server, [...head, `authorization: Bearer ${token}`, '', ''], '{"firstName": "Ada"'))
  expect((await call('getCurrentUser')).body.firstName).toBeNull()
})

test('so is one for the identity provider', async () => {
  const type = 'content-type: application/x-www-form-urlencoded'
  isTooSlow(await begin(embedded, ['POST /oauth/token HTTP/1.1', 'host: portal', type, 'content-length: 900', '', ''], 'grant_type='))
})
