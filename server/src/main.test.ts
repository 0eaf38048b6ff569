import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { customerPermissions } from '@lectern/contract/http/permissions.ts'
import { expect, onTestFinished, test } from 'vitest'
import { demoLicence } from './demo/accounts.ts'
import { databaseSettings } from './testing/database/database-url.ts'
import { serverForFile } from './testing/server.ts'

const server = await serverForFile()
const { db } = server.app
const settings = { NODE_ENV: 'production', EMBEDDED_IDP: 'on', ...databaseSettings(server.databaseUrl), PORT: '0', LOG_LEVEL: 'warn' }

function run(program: string, args: string[] = [], more: Record<string, string> = {}) {
  const env = { ...process.env, ...settings, ...more }
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...args], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function output(program: string, ...args: string[]) {
  const child = run(program, args)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { stdout, stderr, code }
}

async function start(more?: Record<string, string>): Promise<void> {
  const child = run('main.ts', [], more)
  const complaints: string[] = []
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()))
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += chunk
    if (printed.includes('Lectern is ready')) break
  }
  expect(printed).toContain('Lectern is ready')
  expect(complaints.filter((line) => line.includes('WARNING'))).toEqual([])
}

test('[SES-04] production does not start on a database of the demo until its accounts and licences are removed', async () => {
  const account = (email: string) => ({ id: randomUUID(), email, email_verified: true, password_hash: 'none', permissions: [] })
  await db
    .insertInto('idp_account')
    .values([account('Staff@quietzone.example'), account('owner@quietzone.example')])
    .execute()
  const zone = await server.zone()
  const published = await server.licence(zone.organization)
  await db.updateTable('licence_owner').set({ licence_number: demoLicence }).where('licence_number', '=', published).execute()
  const enroll = async (licence: string) => {
    const body = { zoneId: zone.id, hostName: 'OWN-01', timeZone: 'UTC', agentVersion: '1.0.0', credentialHash: 'a'.repeat(64) }
    return (await server.call('enrollHost', { body }, { token: licence })).status
  }
  const refused = await output('main.ts')
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/Lectern cannot start\.\nThe database has accounts or licences of the demo, which everyone knows: /)
  expect(refused.stderr).toContain('Staff@quietzone.example')
  expect(refused.stderr).toContain(demoLicence)
  expect(refused.stderr).toMatch(/\nRemove them with: npm run accounts -- --remove-demo\n$/)

  const own = await server.licence(zone.organization)
  const removed = await output('accounts.ts', '--remove-demo')
  expect(removed.stdout).toMatch(/^Removed: Staff@quietzone\.example, LEC-DEMO-NORTHFIELD\.$/m)
  expect(removed.code).toBe(0)
  expect(await db.selectFrom('idp_account').select('email').execute()).toEqual([{ email: 'owner@quietzone.example' }])
  expect(await enroll(demoLicence)).toBe(401)
  expect(await enroll(own)).toBe(200)
  await start()
})

test('[SES-07] the server listens where HOST says, and nowhere else', async () => {
  const port = await freePort()
  await start({ HOST: '127.0.0.1', PORT: String(port) })
  expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200)
  const outside = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.filter(({ internal, family }) => !internal && family === 'IPv4'),
  )
  for (const { address } of outside) await expect(fetch(`http://${address}:${port}/livez`), address).rejects.toThrow('fetch failed')
})

test('[PPL-03] the command for accounts lists members with their roles, and sets a role, but leaves the last Manager', async () => {
  const organization = await server.organization()
  const manager = await server.person({ organization, permissions: customerPermissions, email: 'mara@people.example' })
  const viewer = await server.person({ organization, email: 'vera@people.example' })
  const params = { organizationId: organization.id }
  await manager.call('createRole', { params, body: { name: 'Night shift', permissions: ['manage:cfg'] } })
  const listed = await output('accounts.ts')
  expect(listed.stdout).toContain(
    `${organization.name} (${organization.id})\n  mara@people.example  Manager\n  vera@people.example  Viewer\n`,
  )
  const set = (email: string, role: string, of = organization.name) => output('accounts.ts', email, '--role', role, '--organization', of)
  expect((await set('VERA@people.example', 'night shift')).stdout).toBe('VERA@people.example has the role Night shift now.\n')
  expect((await viewer.call('getCurrentUser')).body.permissions).toEqual(['manage:cfg'])
  const refusals = await Promise.all([
    set('mara@people.example', 'viewer'),
    set('nobody@people.example', 'viewer'),
    set('vera@people.example', 'admin'),
    set('vera@people.example', 'viewer', 'Nowhere'),
  ])
  expect(refusals.map(({ stderr, code }) => [code, stderr.trim()])).toEqual([
    [1, 'mara@people.example is the last Manager. Make another member Manager first.'],
    [1, 'nobody@people.example is no member of the organization.'],
    [1, 'There is no role "admin". Roles: Viewer, Operator, Manager, Auditor, Night shift.'],
    [1, 'There is no organization "Nowhere".'],
  ])
  const { entryList } = (await manager.call('listAuditEntries', { params, query: { PageSize: 1 } })).body
  expect(entryList[0]).toMatchObject({
    changeType: 'setMemberRole',
    initiatorEmail: null,
    target: 'VERA@people.example',
    newValue: 'Night shift',
  })
})

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}
