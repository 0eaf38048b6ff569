import { Permission } from '@lectern/contract/http/permissions.ts'
import { selectAccount } from './identity/identity.ts'
import { createDatabase, createPool, type Database } from './lib/database/database.ts'
import { parseSettings } from './lib/settings.ts'
import { openDatabase } from './open-database.ts'

const usage = `npm run accounts                                       lists accounts, and letters no mail server took
npm run accounts -- EMAIL --permissions a,b,c          sets what the account may do ("" for nothing)
npm run accounts -- EMAIL --block | --unblock          keeps the account from signing in, or lets it again`

/** Lists and changes accounts of the embedded identity provider. */
async function main([email, change, value]: string[]): Promise<void> {
  const database = await openDatabase(parseSettings(process.env))
  const db = createDatabase(createPool(database.url, 2))
  try {
    if (email === undefined) await list(db)
    else await update(db, email, change, value)
  } finally {
    await db.destroy()
    await database.release()
  }
}

async function list(db: Database): Promise<void> {
  const accounts = await db
    .selectFrom('idp_account')
    .select(['email', 'email_verified', 'blocked', 'permissions'])
    .orderBy('email')
    .execute()
  for (const { email, email_verified, blocked, permissions } of accounts)
    print(
      [email, email_verified ? '' : '(unverified)', blocked ? '(blocked)' : '', permissions.join(' ') || 'no permissions']
        .filter(Boolean)
        .join('  '),
    )
  const letters = await db.selectFrom('idp_message').select(['recipient', 'subject', 'body', 'created_at']).orderBy('created_at').execute()
  for (const { recipient, subject, body, created_at } of letters)
    print(`\nTo ${recipient}, ${created_at.toISOString()}: ${subject}\n${body}`)
}

async function update(db: Database, email: string, change: string | undefined, value = ''): Promise<void> {
  const account = await selectAccount(db, email)
  if (!account) throw new Error(`There is no account ${email}.`)
  const set = db.updateTable('idp_account').where('id', '=', account.id)
  if (change === '--permissions') {
    const names = value.split(/[\s,]+/).filter((name) => name !== '')
    const unknown = names.find((name) => !Permission.safeParse(name).success)
    if (unknown) throw new Error(`"${unknown}" is no permission; there are ${Permission.options.join(', ')}.`)
    await set.set({ permissions: names }).execute()
  } else if (change === '--block' || change === '--unblock') await set.set({ blocked: change === '--block' }).execute()
  else throw new Error(usage)
  print(`Changed ${account.email}. It holds from the next sign-in or renewal on.`)
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`)

main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
