import { parseArgs } from 'node:util'
import { uuidv7 } from 'uuidv7'
import { createDatabase, createPool, type Database } from './lib/database/database.ts'
import { parseSettings } from './lib/settings.ts'
import { newLicenceNumber } from './licences/licences.ts'
import { openDatabase } from './open-database.ts'

const usage = 'Say for whom: npm run licence -- ORGANIZATION [--default-type TYPE] (its id or its name)'

/**
 * `npm run licence -- ORGANIZATION`: issues a licence number to an organization, named by id or name. With `--default-type TYPE` it says
 * instead of which type licences are that the organization records without one.
 */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { 'default-type': { type: 'string' } } })
  const [wanted] = positionals
  if (!wanted || positionals.length > 1) throw new Error(usage)
  const database = await openDatabase(parseSettings(process.env))
  const db = createDatabase(createPool(database.url, 2))
  try {
    const id = await getOrganization(db, wanted)
    if (values['default-type'] === undefined) {
      const number = newLicenceNumber()
      const type = db.selectFrom('organization').select('licence_type_id').where('id', '=', id)
      await db.insertInto('licence').values({ id: uuidv7(), organization_id: id, licence_number: number, type_id: type }).execute()
      process.stdout.write(`${number}\n`)
    } else {
      const type = await getType(db, values['default-type'])
      await db.updateTable('organization').set({ licence_type_id: type.id }).where('id', '=', id).execute()
      process.stdout.write(`Licences of ${wanted} are of the type ${type.name}, unless they say another.\n`)
    }
  } finally {
    await db.destroy()
    await database.release()
  }
}

async function getOrganization(db: Database, wanted: string): Promise<string> {
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
  return organization.id
}

async function getType(db: Database, wanted: string): Promise<{ id: number; name: string }> {
  const types = await db.selectFrom('licence_type').select(['id', 'name']).orderBy('id').execute()
  const type = types.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  if (!type) throw new Error(`There is no licence type "${wanted}". There are: ${types.map(({ name }) => name).join(', ')}`)
  return type
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
