import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { authorization, hiddenFields, openSignIn, renew, signIn, visitor } from '@lectern/idp/testing/test-provider.ts'
import { decodeProtectedHeader } from 'jose'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { databaseSettings } from '../testing/database/database-url.ts'
import { embeddedForFile } from '../testing/embedded-server.ts'
import { until } from '../testing/until.ts'

const server = await embeddedForFile()
const { db } = server.app

async function runAccounts(args: string[], provider: Record<string, string> = { EMBEDDED_IDP: 'on' }) {
  const env = { ...process.env, ...databaseSettings(server.databaseUrl), PUBLIC_URL: server.url, ...provider }
  const child = spawn(process.execPath, [join(import.meta.dirname, '../accounts.ts'), ...args], { env })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return stdout + stderr
}

const listPublished = async (at = server.url) => {
  const { keys } = (await (await fetch(`${at}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }
  return keys.map(({ kid }) => kid)
}
const getKeyId = (token: string) => decodeProtectedHeader(token).kid!
const signInAnew = async () => signIn(server, visitor(server.url), await server.account())
const ageKeys = (time: string) => sql`update idp_key set created_at = created_at - ${time}::interval`.execute(db)

test('a new signing key is published before it signs, and what the old one signed is taken until it expires', async () => {
  const other = await server.another()
  const account = await server.account()
  const browser = visitor(server.url)
  const before = await signIn(server, browser, account)
  const waiting = visitor(server.url)
  const { page } = await openSignIn(server, waiting)
  const hidden = hiddenFields(await (await waiting.send(page)).text())
  const statusAt = async (at: typeof other, token: string) => (await at.call('getCurrentUser', {}, { token })).status
  const signInSilently = async () => {
    const { path } = authorization(server.url, { prompt: 'none' })
    return new URL((await browser.send(path)).headers.get('location') ?? '', server.url).searchParams.has('code')
  }
  const old = getKeyId(before.access_token)

  expect(await runAccounts(['--new-keys'])).toContain('There is a new signing key. It signs from a minute on;')
  for (const { url } of [server, other]) await until(async () => (await listPublished(url)).length === 2)
  expect(getKeyId((await signInAnew()).access_token)).toBe(old)

  await ageKeys('61 seconds')
  await until(async () => (await listPublished())[0] !== old)
  const after = await signInAnew()
  expect(getKeyId(after.access_token)).not.toBe(old)
  expect(await statusAt(server, before.access_token)).toBe(200)
  // The first token that this server sees.
  expect(await statusAt(other, after.access_token)).toBe(200)
  expect((await renew(server, before.refresh_token)).status).toBe(200)
  expect((await waiting.post(page, { ...hidden, email: account.email, password: account.password })).status).toBe(303)

  await ageKeys('62 minutes')
  await until(async () => (await listPublished()).length === 1)
  expect(await listPublished()).toEqual([getKeyId(after.access_token)])
  expect(await signInSilently()).toBe(true)

  await server.app.sweep()
  expect(await db.selectFrom('idp_key').select('number').execute()).toHaveLength(2)
  await ageKeys('30 days')
  await server.app.sweep()
  expect(await db.selectFrom('idp_key').select('number').execute()).toEqual([{ number: 2 }])
})

test('after a stolen key nothing that it signed is taken, and everyone signs in again', async () => {
  const before = await signInAnew()
  const [replaced, hosted] = await Promise.all([
    runAccounts(['--new-keys', '--at-once']),
    runAccounts(['--new-keys'], { AUTH_DOMAIN: 'login.example' }),
  ])
  expect(replaced).toContain('There is a new signing key, and no other. Everyone signs in again.')
  expect(hosted).toContain('The keys are those of the identity provider login.example. Change them there.')
  await until(async () => (await server.call('getCurrentUser', {}, { token: before.access_token })).status === 401)
  expect((await renew(server, before.refresh_token)).error).toBe('invalid_grant')
  await until(async () => (await listPublished())[0] !== getKeyId(before.access_token))
  const { access_token } = await signInAnew()
  expect(await listPublished()).toEqual([getKeyId(access_token)])
})
