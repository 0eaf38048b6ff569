import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Stack, startStack } from './support/processes/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.stop())

test('a page answers every address that is no call and no file, and is asked for again each time', async () => {
  for (const path of ['/', '/codedm/zones', '/nobody/knows?this=1']) {
    const page = await fetch(`${stack.url}${path}`)
    expect([page.status, page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ])
    expect((await fetch(`${stack.url}${path}`, { method: 'HEAD' })).status).toBe(200)
  }
  for (const path of ['/api/nothing', '/assets/none.js', '/missing.png']) expect((await fetch(`${stack.url}${path}`)).status).toBe(404)
})

test('assets are kept for ever, and were compressed when they were built', async () => {
  const html = await (await fetch(stack.url)).text()
  const [, asset = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(html) ?? []
  const answer = await fetch(`${stack.url}${asset}`, { headers: { 'accept-encoding': 'br' } })
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
  expect(['content-encoding', 'vary', 'content-type'].map((name) => answer.headers.get(name))).toEqual([
    'br',
    'accept-encoding',
    'application/javascript; charset=utf-8',
  ])
  const plain = await fetch(`${stack.url}${asset}`, { headers: { 'accept-encoding': 'identity' } })
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(await answer.text()).toBe(await plain.text())
  // What is compressed while it is sent has no length.
  expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(0)
})

test('who says 127.0.0.1 is led to the name under which the identity provider knows the portal', async () => {
  const { port } = new URL(stack.url)
  const answer = await fetch(`http://127.0.0.1:${port}/codedm/zones?search=x`, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, `${stack.url}/codedm/zones?search=x`])
})
