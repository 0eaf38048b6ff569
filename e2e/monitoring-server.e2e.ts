import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Collector, startCollector } from './support/error-collector.ts'
import { startProgram } from './support/processes/program.ts'
import { type LoneStack, manager, northfield, startLoneStack } from './support/processes/stack.ts'
import { accessToken } from './support/sign-in.ts'

let collector: Collector
beforeEach(async () => {
  collector = await startCollector()
})
afterEach(() => collector?.stop())

/** A module that Node runs before the server, as an operator could. */
const preload = (code: string) => `--import=data:text/javascript,${encodeURIComponent(code)}`
const refuseSentry = preload(
  `import { registerHooks } from 'node:module'; registerHooks({ resolve(name, at, next) { if (/sentry/.test(name)) throw new Error('asked for ' + name); return next(name, at) } })`,
)

async function stackWith(env: Record<string, string>): Promise<LoneStack> {
  const stack = await startLoneStack({ env })
  onTestFinished(stack.stop)
  return stack
}

test('[ERR-04 ERR-09] what the server gets wrong is reported with its call and caller, and nothing of the request besides', async () => {
  const stack = await stackWith({ SENTRY_DSN: collector.dsn })
  const page = await stack.page(manager, '/codedm')
  await stack.sql('alter table zone rename column name to title')
  await page.goto(`${stack.url}/codedm/zones?invitation=S3CRET`)
  const fromServer = await collector.first('event', ({ platform }) => platform === 'node')
  expect(fromServer.exception.values.at(-1)).toMatchObject({ type: 'error', value: 'column "name" does not exist' })
  expect(fromServer.tags).toEqual({
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    route: expect.stringMatching(/^\/api\/.*:organizationId/),
  })
  const [{ id }] = (await stack.sql('select id from "user" where email = $1', [manager])) as [{ id: string }]
  expect(fromServer.user).toEqual({ id, email: manager })
  expect([fromServer.request, fromServer.breadcrumbs, fromServer.release]).toEqual([undefined, undefined, 'lectern@0.1.0'])

  // The browser reports the same call: its name of the request is the server's.
  const fromBrowser = await collector.first('event', ({ platform }) => platform === 'javascript')
  await collector.first('event', ({ platform, tags }) => platform === 'node' && tags?.request_id === fromBrowser.tags.request_id)

  const token = await accessToken(stack.url, manager)
  const failed = await fetch(`${stack.url}/api/codedm/organization/${northfield}/locations`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(failed.status).toBe(500)
  await collector.first('event', ({ tags }) => tags?.request_id === failed.headers.get('x-request-id'))
  expect(collector.sent()).not.toContain(token)
  expect(collector.sent()).not.toMatch(/eyJ[\w-]+\.|S3CRET|Bearer (?!\[removed\])/)
})

test('[ERR-10] an exception that nobody caught is reported within the limits, and ends the server', async () => {
  const stack = await stackWith({
    SENTRY_DSN: collector.dsn,
    NODE_OPTIONS: preload(`process.on('SIGUSR2', () => { throw new Error('torn '.repeat(200)) })`),
  })
  await stack.signal('SIGUSR2')
  const event = await collector.first('event', ({ level }) => level === 'fatal')
  expect(event.exception.values[0].value).toBe(`${'torn '.repeat(50)}...`)
  await expect(fetch(`${stack.url}/livez`)).rejects.toThrow()
})

test('the library is loaded only where there is a service', async () => {
  const stack = await stackWith({ NODE_OPTIONS: refuseSentry })
  expect((await fetch(`${stack.url}/livez`)).status).toBe(200)
  const nowhere = 'postgres://nobody@127.0.0.1:1/none'
  const databases = { DATABASE_URL: nowhere, CROSSING_DATABASE_URL: nowhere, IDENTITY_DATABASE_URL: nowhere }
  const env = { ...process.env, NODE_OPTIONS: refuseSentry, SENTRY_DSN: collector.dsn, ...databases }
  await expect(startProgram(['server/src/main.ts'], 'Lectern is ready', env)).rejects.toThrow('asked for @sentry/node')
})
