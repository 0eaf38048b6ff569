import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { listReferenced, pauseSweeps } from '../contents/contents.ts'
import type { ContentStore } from '../lib/content-store.ts'
import { createDatabase } from '../lib/database/database.ts'
import { lockMigrations, makeTables } from '../lib/database/migrate.ts'
import { type Add, type Entry, type Manifest, readArchive, writeArchive } from './file.ts'
import {
  addLabels,
  begin,
  beginSnapshot,
  copyIn,
  copyOut,
  countOthers,
  countTables,
  describeEnums,
  describeSequences,
  describeTables,
  dropAll,
  layBare,
  listMigrations,
  setSequences,
} from './sql.ts'

const chunkBytes = 4 * 1024 * 1024
const aloneWithinMs = 3_000

interface Size {
  tables: number
  contents: number
}

/**
 * Writes the database and the contents that it needs, both of one instant, while servers go on.
 * @throws Error with a sentence: nothing to back up, a content that is missing
 */
export async function backUp(pool: pg.Pool, contents: ContentStore, path: string): Promise<Size> {
  return createDatabase(pool)
    .transaction()
    .execute(async (turn) => {
      // Holds sweeps back: contents that the snapshot needs may lose their last reference right after it.
      await pauseSweeps(turn)
      const client = await pool.connect()
      try {
        await beginSnapshot(client)
        return await writeSnapshot(client, contents, path)
      } finally {
        // Ends the snapshot with the connection.
        client.release(true)
      }
    })
}

async function writeSnapshot(client: pg.ClientBase, contents: ContentStore, path: string): Promise<Size> {
  if ((await countTables(client)) === 0) throw new Error('The database has no tables, so there is nothing to back up.')
  const manifest: Manifest = {
    madeAt: new Date().toISOString(),
    migrations: await listMigrations(client),
    tables: await describeTables(client),
    enums: await describeEnums(client),
    sequences: await describeSequences(client),
  }
  const hashes = await listReferenced(client)
  await writeArchive(path, manifest, async (add) => {
    for (const hash of hashes) await addContent(add, contents, hash)
    for (const [table, columns] of Object.entries(manifest.tables)) {
      let part = 0
      for await (const rows of toChunks(copyOut(client, table, columns))) await add(`database/${table}/${++part}`, rows.length, [rows])
    }
  })
  return { tables: Object.keys(manifest.tables).length, contents: hashes.length }
}

async function addContent(add: Add, contents: ContentStore, hash: string): Promise<void> {
  const size = await contents.size(hash)
  if (size === null)
    throw new Error(`The content ${hash}, which the database needs, is not in the folder of contents. Is DATA_DIR that of the servers?`)
  await add(`contents/${hash}`, size, contents.read(hash))
}

// PostgreSQL lists a connection for a moment after it was closed, so this asks several times.
async function waitToBeAlone(client: pg.ClientBase): Promise<void> {
  const patience = performance.now() + aloneWithinMs
  while ((await countOthers(client)) > 0) {
    if (performance.now() > patience)
      throw new Error('Other programs are connected to the database. Stop every server, and whatever else uses it, then try again.')
    await pause(50)
  }
}

// Each chunk is of whole rows, so that it can be loaded by itself.
async function* toChunks(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const piece of rows) {
    const end = size + piece.length < chunkBytes ? 0 : piece.lastIndexOf('\n') + 1
    if (end > 0) {
      yield Buffer.concat([...held, piece.subarray(0, end)])
      held = []
      size = 0
    }
    held.push(piece.subarray(end))
    size += piece.length - end
  }
  if (size > 0) yield Buffer.concat(held)
}

interface RestoreOptions {
  // Whether tables that are there already are dropped.
  replace: boolean
  report(sentence: string): void
}

/**
 * Loads an archive in one transaction. Contents are stored first; where the archive then fails, the sweep removes them.
 * @throws Error with a sentence: tables in the way, servers that run, an archive that is damaged or of a newer version
 */
export async function restore(pool: pg.Pool, contents: ContentStore, path: string, options: RestoreOptions): Promise<Size> {
  const client = await pool.connect()
  try {
    await begin(client)
    // A server that starts now waits until the end of this transaction.
    await lockMigrations(client)
    await waitToBeAlone(client)
    if (options.replace) await dropAll(client)
    else if ((await countTables(client)) > 0)
      throw new Error('The database is not empty. With --replace what is in it is deleted, then the archive restored.')
    const size = await load(client, contents, path, options)
    await client.query('commit')
    await client.query('analyze')
    return size
  } finally {
    // Closing the connection undoes what is not committed.
    client.release(true)
  }
}

async function load(client: pg.ClientBase, contents: ContentStore, path: string, { report }: RestoreOptions): Promise<Size> {
  const entries = readArchive(path)
  const manifest = (await entries.next()).value as Manifest
  const known = await makeSchema(client, manifest)
  const finish = await layBare(client, Object.keys(known))
  const strange = Object.keys(manifest.tables).filter((table) => !Object.hasOwn(known, table))
  if (strange.length > 0) report(`Not restored, as they are not of Lectern: ${strange.join(', ')}`)
  let stored = 0
  for await (const entry of entries as AsyncIterable<Entry>) {
    const [, hash] = /^contents\/([0-9a-f]{64})$/.exec(entry.name) ?? []
    const [, table = ''] = /^database\/(.+)\/\d+$/.exec(entry.name) ?? []
    if (hash !== undefined) {
      await storeContent(contents, hash, entry.body)
      stored += 1
    } else if (Object.hasOwn(known, table)) await copyIn(client, table, manifest.tables[table]!, entry.body)
    else for await (const _ of entry.body);
  }
  await finish()
  await setSequences(client, manifest.sequences)
  return { tables: Object.keys(known).length, contents: stored }
}

/** @returns the tables that it makes, with their columns */
async function makeSchema(client: pg.ClientBase, { migrations, tables, enums }: Manifest): Promise<Manifest['tables']> {
  await makeTables(client, migrations)
  await addLabels(client, enums)
  const known = await describeTables(client)
  const missing = Object.keys(known).filter((table) => !Object.hasOwn(tables, table))
  if (missing.length > 0) throw new Error(`The archive does not have the tables ${missing.join(', ')}.`)
  return known
}

async function storeContent(contents: ContentStore, hash: string, body: AsyncIterable<Buffer>): Promise<void> {
  const file = await contents.receive(body, hash, Number.POSITIVE_INFINITY)
  try {
    if (file.hash !== hash) throw new Error(`The archive is damaged: the content ${hash} is another. Nothing was restored.`)
    await file.store()
  } finally {
    await file.discard()
  }
}
