import { parseArgs } from 'node:util'
import { createDatabase, createPool } from './lib/database/database.ts'
import { parseSettings } from './lib/settings.ts'
import { issueLicence, setDefaultType } from './licences/licences.ts'
import { openDatabase } from './open-database.ts'
import { getOrganizationId } from './organizations/organizations.ts'

const usage = `npm run licence -- ORGANIZATION                        issues a licence number; ORGANIZATION is an id or a name
npm run licence -- ORGANIZATION --default-type TYPE    sets the default type of the organization's licences`

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { 'default-type': { type: 'string' } } })
  const [organization] = positionals
  if (!organization || positionals.length > 1) throw new Error(usage)
  const database = await openDatabase(parseSettings(process.env))
  const db = createDatabase(createPool(database.urls.crossing, { max: 2 }))
  try {
    const id = await getOrganizationId(db, organization)
    const typeName = values['default-type']
    const output =
      typeName === undefined
        ? await db.transaction().execute((change) => issueLicence(change, id))
        : `The default type of licences of ${organization} is now ${await setDefaultType(db, id, typeName)}.`
    process.stdout.write(`${output}\n`)
  } finally {
    await db.destroy()
    await database.release()
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
