import { Permission } from '@lectern/contract/http/permissions.ts'
import { removeDemoCredentials } from './demo/credentials.ts'
import { changeAccount, listAccounts, listMessages } from './identity/identity.ts'
import { createDatabase, createPool, type Database } from './lib/database/database.ts'
import { parseSettings } from './lib/settings.ts'
import { openDatabase } from './open-database.ts'

const usage = `npm run accounts                                       lists accounts, and messages that no mail server took
npm run accounts -- EMAIL --permissions a,b,c          sets the account's permissions ("" for none)
npm run accounts -- EMAIL --block | --unblock          blocks or unblocks the account's sign-in
npm run accounts -- --remove-demo                      removes the demo's accounts, and its licences' right to enroll`

async function main([email, change, value]: string[]): Promise<void> {
  const settings = parseSettings(process.env)
  const database = await openDatabase(settings)
  const db = createDatabase(createPool(database.url, { max: 2 }))
  try {
    if (email === undefined) await printAll(db)
    else if (email === '--remove-demo')
      print(`Removed: ${(await removeDemoCredentials(db)).join(', ') || 'nothing, as there was nothing'}.`)
    else {
      const changed = await changeAccount(db, settings.auth.issuer, email, parseChange(change, value))
      print(`Changed ${changed}. What is taken away ends within seconds; what is given comes with the next sign-in or token renewal.`)
    }
  } finally {
    await db.destroy()
    await database.release()
  }
}

async function printAll(db: Database): Promise<void> {
  for (const { email, email_verified, blocked, permissions } of await listAccounts(db))
    print(
      [email, email_verified ? '' : '(unverified)', blocked ? '(blocked)' : '', permissions.join(' ') || 'no permissions']
        .filter(Boolean)
        .join('  '),
    )
  for (const { recipient, subject, body, created_at } of await listMessages(db))
    print(`\nTo ${recipient}, ${created_at.toISOString()}: ${subject}\n${body}`)
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
