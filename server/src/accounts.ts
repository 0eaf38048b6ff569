import { Permission } from '@lectern/contract/http/permissions.ts'
import type { Member } from '@lectern/contract/people/people.ts'
import { removeDemoCredentials } from './demo/credentials.ts'
import { addSigningKey, changeAccount, listAccounts, listMessages } from './identity/identity.ts'
import { createDatabase, createPool, type Database, inTransaction } from './lib/database/database.ts'
import { parseSettings, type Settings } from './lib/settings.ts'
import { openDatabase } from './open-database.ts'
import { getOrganizationId, listOrganizations } from './organizations/organizations.ts'
import { listMembers, setMemberRole } from './people/people.ts'

const everybody = { PageSize: 100, textFilter: '', ColumnName: 'Name', Direction: 'Ascending' } as const
const usage = `npm run accounts                                       lists accounts, members with their roles, and messages that no mail server took
npm run accounts -- EMAIL --role ROLE --organization O  sets a member's role; O is an id or a name
npm run accounts -- EMAIL --permissions a,b,c          sets the account's provider-wide permissions ("" for none)
npm run accounts -- EMAIL --block | --unblock          blocks or unblocks the account's sign-in
npm run accounts -- --new-keys                         tokens get a new signing key; those of the old one are taken until they expire
npm run accounts -- --new-keys --at-once               for a stolen key: nothing that it signed is taken any more, and everyone signs in again
npm run accounts -- --remove-demo                      removes the demo's accounts, and its licences' right to enroll`

async function main([email, change, value, ...more]: string[]): Promise<void> {
  const settings = parseSettings(process.env)
  const database = await openDatabase(settings)
  const db = createDatabase(createPool(database.urls.crossing, { max: 2 }))
  const identity = createDatabase(createPool(database.urls.identity, { max: 1 }))
  try {
    if (email === undefined) await printAll(db, identity)
    else if (email === '--remove-demo')
      print(`Removed: ${(await removeDemoCredentials(db, identity)).join(', ') || 'nothing, as there was nothing'}.`)
    else if (email === '--new-keys') await printNewKey(identity, settings, change)
    else if (change === '--role') await printRole(db, settings, [email, value, ...more])
    else {
      const changed = await changeAccount({ db, identity }, settings.auth.issuer, email, parseChange(change, value))
      print(`Changed ${changed}. What is taken away ends within seconds; what is given comes with the next sign-in or token renewal.`)
    }
  } finally {
    await Promise.all([db.destroy(), identity.destroy()])
    await database.release()
  }
}

async function printAll(db: Database, identity: Database): Promise<void> {
  for (const { email, email_verified, blocked, permissions } of await listAccounts(identity))
    print(
      [email, email_verified ? '' : '(unverified)', blocked ? '(blocked)' : '', permissions.join(' ') || 'no permissions']
        .filter(Boolean)
        .join('  '),
    )
  for (const { id, public_id, name } of await listOrganizations(db)) {
    print(`\n${name ? `${name} (${public_id})` : public_id}`)
    for await (const { email, role } of eachMember(db, id)) print(`  ${email}  ${role?.name ?? 'no role until the next sign-in'}`)
  }
  for (const { recipient, subject, body, created_at } of await listMessages(identity))
    print(`\nTo ${recipient}, ${created_at.toISOString()}: ${subject}\n${body}`)
}

async function* eachMember(db: Database, organizationId: number): AsyncGenerator<Member> {
  for (let PageNumber = 0, shown = 0; ; PageNumber++) {
    const { memberList, totalCount } = await listMembers(db, organizationId, { ...everybody, PageNumber })
    yield* memberList
    shown += memberList.length
    if (memberList.length === 0 || shown >= totalCount) return
  }
}

async function printRole(db: Database, settings: Settings, [email, role, option, organization]: (string | undefined)[]): Promise<void> {
  if (email === undefined || role === undefined || option !== '--organization' || organization === undefined) throw new Error(usage)
  const organizationId = await getOrganizationId(db, organization)
  const areRolesReadOnly = settings.organizationPermissions === 'token'
  const name = await inTransaction(db, (transaction) => setMemberRole({ db: transaction, organizationId, areRolesReadOnly }, email, role))
  print(`${email} has the role ${name} now.`)
}

async function printNewKey(identity: Database, { embeddedProvider, auth }: Settings, option: string | undefined): Promise<void> {
  if (option !== undefined && option !== '--at-once') throw new Error(usage)
  if (!embeddedProvider) throw new Error(`The keys are those of the identity provider ${auth.domain}. Change them there.`)
  const atOnce = option === '--at-once'
  await addSigningKey(identity, atOnce)
  print(
    atOnce
      ? 'There is a new signing key, and no other. Everyone signs in again.'
      : 'There is a new signing key. It signs from a minute on; tokens of the old one are taken until they expire.',
  )
}

function parseChange(change: string | undefined, value = ''): { permissions: Permission[] } | { blocked: boolean } {
  if (change === '--block' || change === '--unblock') return { blocked: change === '--block' }
  if (change !== '--permissions') throw new Error(usage)
  const names = value.split(/[\s,]+/).filter((name) => name !== '')
  return { permissions: names.map(parsePermission) }
}

function parsePermission(name: string): Permission {
  const parsed = Permission.safeParse(name)
  if (!parsed.success) throw new Error(`"${name}" is not a permission. Permissions: ${Permission.options.join(', ')}.`)
  return parsed.data
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`)

main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
