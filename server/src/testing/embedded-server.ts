import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hashPassword } from '@lectern/idp/sign-in/passwords.ts'
import { uuidv7 } from 'uuidv7'
import { afterAll } from 'vitest'
import type { TestOrganization } from './makers.ts'
import { startServer, type TestServer } from './server.ts'

export const password = 'a password of tests'

/** A server with the embedded provider. More servers can be started on its database. Stops after the tests of the file. */
export async function embeddedForFile(environment: Record<string, string> = {}) {
  const port = String(await findPort())
  const all = {
    AUTH_DOMAIN: '',
    EMBEDDED_IDP: 'on',
    AUTH_AUDIENCE: 'urn:lectern:api',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...environment,
  }
  const server = await startServer({ environment: { PORT: port, ...all } })
  const further: TestServer[] = []
  afterAll(async () => {
    for (const each of [...further, server]) await each.stop()
  })
  return {
    ...server,
    async another(): Promise<TestServer> {
      const other = await startServer({ environment: all, databaseUrl: server.databaseUrl })
      further.push(other)
      return other
    },
    account: (permissions: string[] = [], organization?: TestOrganization) => insertAccount(server, permissions, organization),
  }
}

async function insertAccount({ app: { db }, settings, join }: TestServer, permissions: string[], organization?: TestOrganization) {
  const [id, userId] = [uuidv7(), uuidv7()]
  const email = `${id}@people.example`
  const account = { id, email, email_verified: true, password_hash: await hashPassword(password, { N: 1_024, r: 8, p: 1 }), permissions }
  await db.insertInto('idp_account').values(account).execute()
  await db.insertInto('user').values({ id: userId, issuer: settings.auth.issuer, subject: id, email, email_verified: true }).execute()
  if (organization) await join(userId, organization, permissions)
  return { id, userId, email, password }
}

async function findPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}
