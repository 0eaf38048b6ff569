import { randomInt } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { createDatabase, createPool } from './lib/database.ts'
import { parseSettings } from './lib/settings.ts'
import { openDatabase } from './open-database.ts'

// Characters that cannot be mistaken for one another when they are read out.
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const group = (): string => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')

/** `npm run licence -- ORGANIZATION`: issues a licence number to an organization, named by id or name. */
async function main(wanted: string | undefined): Promise<void> {
  if (!wanted) throw new Error('Say for whom: npm run licence -- ORGANIZATION (its id or its name)')
  const database = await openDatabase(parseSettings(process.env))
  const db = createDatabase(createPool(database.url, 2))
  try {
    const organizations = await db
      .selectFrom('organization')
      .select(['id', 'name'])
      .where((eb) => eb.or([eb('id', '=', wanted), eb(eb.fn<string>('lower', ['name']), '=', wanted.toLowerCase())]))
      .execute()
    const [organization] = organizations
    if (!organization) throw new Error(`There is no organization "${wanted}".`)
    if (organizations.length > 1)
      throw new Error(
        `There are ${organizations.length} organizations named "${wanted}": use an id: ${organizations.map(({ id }) => id).join(', ')}`,
      )
    const number = `LEC-${group()}-${group()}-${group()}-${group()}`
    await db.insertInto('license').values({ id: uuidv7(), organization_id: organization.id, license_number: number }).execute()
    process.stdout.write(`${number}\n`)
  } finally {
    await db.destroy()
    await database.release()
  }
}

main(process.argv[2]).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
