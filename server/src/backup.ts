import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { backUp, restore } from './archive/archive.ts'
import { openContentStore } from './lib/content-store.ts'
import { createPool } from './lib/database/database.ts'
import { parseSettings } from './lib/settings.ts'
import { reachDatabase } from './open-database.ts'

const usage = `npm run backup -- FILE                  writes the database and its contents to FILE; servers may run
npm run restore -- FILE                 loads FILE into an empty database; servers must not run
npm run restore -- FILE --replace       deletes first what is in the database`

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { replace: { type: 'boolean', default: false } } })
  const [command, file, ...rest] = positionals
  if ((command !== 'backup' && command !== 'restore') || !file || rest.length > 0 || (command === 'backup' && values.replace))
    throw new Error(usage)
  const path = resolve(file)
  const settings = parseSettings(process.env)
  const contents = await openContentStore(join(settings.dataDir, 'contents'))
  const database = await reachDatabase(settings)
  const { owner } = database.urls
  if (owner === null) throw new Error('MIGRATION_DATABASE_URL: must be set, as the owner alone reads and makes all tables.')
  const pool = createPool(owner, { max: 2, copies: true })
  const report = (sentence: string) => void process.stdout.write(`${sentence}\n`)
  try {
    const size = command === 'backup' ? await backUp(pool, contents, path) : await restore(pool, contents, path, { ...values, report })
    const what = `${size.tables} tables and ${size.contents} contents`
    report(command === 'backup' ? `${path} has ${what}.` : `Restored ${what}. The next start of a server migrates them where it must.`)
  } finally {
    await pool.end()
    await database.release()
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
