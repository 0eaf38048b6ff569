import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { packTar, unpackTar } from 'modern-tar'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { databaseSettings } from './database/database-url.ts'

const program = join(import.meta.dirname, '../backup.ts')
const compiled = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/lectern/compiled') }

/** A database, by its owner's connection string, and its data folder. */
export interface Place {
  DATABASE_URL: string
  DATA_DIR: string
}

/** Removed after the test. Every user may enter it, as the embedded PostgreSQL may run as another user. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-archive-'))
  execFile('chmod', ['755', folder])
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const toSettings = ({ DATABASE_URL, DATA_DIR }: Place) => ({ DATA_DIR, ...(DATABASE_URL === '' ? {} : databaseSettings(DATABASE_URL)) })

/** Runs `npm run backup` or `npm run restore` without npm. Killed after the test. */
export function startCommand(place: Place, ...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...compiled, ...toSettings(place) } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const printed = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (printed.stdout += chunk))
  child.stderr.on('data', (chunk) => (printed.stderr += chunk))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...printed }))
  return { ended, kill: () => child.kill('SIGKILL') }
}

export const run = (place: Place, ...args: string[]) => startCommand(place, ...args).ended

/** Returns the rows of one statement, on a connection of its own. */
export async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

const own = `(select oid, relname, format('%I', relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r') own`

/** For each table with rows: their number and a hash. Leaves out what servers write every 10 s. */
export async function hashTables(url: string): Promise<Record<string, string>> {
  const tables = await query<{ relname: string; name: string }>(url, `select relname, name from ${own} where relname <> 'server_beat'`)
  const hash = ({ relname, name }: (typeof tables)[number]) =>
    `select '${relname}' as table, count(*) || ' ' || md5(string_agg(md5(t::text), '' order by md5(t::text))) as hash from ${name} t having count(*) > 0`
  if (tables.length === 0) return {}
  const rows = await query<{ table: string; hash: string }>(url, tables.map(hash).join(' union all '))
  return Object.fromEntries(rows.sort((a, b) => (a.table < b.table ? -1 : 1)).map(({ table, hash }) => [table, hash]))
}

/** One line for each column, key, index, trigger and enum. */
export async function describeSchema(url: string): Promise<string[]> {
  const rows = await query<{ line: string }>(
    url,
    `select relname || '.' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull || attidentity::text || attgenerated::text as line
       from ${own} join pg_attribute on attrelid = own.oid and attnum > 0 and not attisdropped
     union all select relname || ' ' || conname || ' ' || pg_get_constraintdef(c.oid) || ' ' || convalidated from ${own} join pg_constraint c on conrelid = own.oid
     union all select indexdef from pg_indexes where schemaname = 'public'
     union all select relname || ' ' || pg_get_triggerdef(t.oid) || ' ' || tgenabled::text from ${own} join pg_trigger t on tgrelid = own.oid where not tgisinternal
     union all select typname || ' ' || array_agg(enumlabel order by enumsortorder)::text from pg_enum join pg_type t on t.oid = enumtypid group by typname`,
  )
  return rows.map(({ line }) => line).sort()
}

/** The next number of each sequence. */
export async function nextNumbers(url: string): Promise<Record<string, number>> {
  const sequences = await query<{ name: string }>(url, `select sequencename as name from pg_sequences where schemaname = 'public'`)
  const next = sequences.map(({ name }) => `select '${name}' as name, last_value + is_called::int as next from "${name}"`)
  const rows = await query<{ name: string; next: string }>(url, next.join(' union all '))
  return Object.fromEntries(rows.map(({ name, next }) => [name, Number(next)]))
}

/** The names of the contents in a data folder, which are the hashes of their bytes. */
export const listContents = (dataDir: string): string[] =>
  readdirSync(join(dataDir, 'contents'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.slice(3))
    .filter((name) => /^[0-9a-f]{64}$/.test(name))
    .sort()

/** Writes an archive again, with each of its files as `change` returns it. */
export async function rewrite(from: string, to: string, change: (name: string, text: string) => string): Promise<void> {
  const entries = await unpackTar(zstdDecompressSync(readFileSync(from)))
  const changed = entries.map(({ header, data }) => {
    const body = Buffer.from(change(header.name, Buffer.from(data ?? []).toString('latin1')), 'latin1')
    return { header: { ...header, size: body.length }, body }
  })
  writeFileSync(to, zstdCompressSync(await packTar(changed)))
}
