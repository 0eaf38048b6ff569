import { expect, test } from 'vitest'
import { serverForFile } from './testing/server.ts'

const server = await serverForFile()
const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

test.each(['A%5CB', 'A%00B', '9.10.0', 'HOST.01', 'a%2Fb', '100%25', '..%5C..', 'B%C3%BCro.js', '%2E%2E', '%F0%9F%8F%A5'])(
  '[INP-06] the page address of %s is a page, also where it is loaded again',
  async (name) => {
    const response = await server.fetch(`/codedm/device/${name}`, asBrowser)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  },
)

test.each([
  ['100%', '100%25'],
  ['%zz', '%25zz'],
  ['%FF', '%25FF'],
  ['50%-60%?page=2', '50%25-60%25?page=2'],
])('[INP-06] %s as somebody types it leads to its page', async (typed, encoded) => {
  const { status, headers } = await server.fetch(`/codedm/device/${typed}`, { ...asBrowser, redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([302, `/codedm/device/${encoded}`])
  expect((await server.fetch(`/codedm/device/${typed}`, asBrowser)).status).toBe(200)
})

test('[INP-06] such an address leads to no other host, and the API answers as before', async () => {
  const { headers } = await server.fetch('//other.example/%', { ...asBrowser, redirect: 'manual' })
  expect(headers.get('location')).toBe('/other.example/%25')
  const response = await server.fetch('/api/lectern/nothing/%', asBrowser)
  expect([response.status, response.headers.get('content-type')]).toEqual([400, expect.stringContaining('application/problem+json')])
  expect((await server.fetch('/assets/gone.js')).status).toBe(404)
})
