import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Manifest } from './file.ts'

const { escapeIdentifier: name, escapeLiteral: literal } = pg

// Sets aside what the role may have set, so that both sides write values in the same form.
const plain = `
  set local datestyle to iso; set local intervalstyle to postgres; set local extra_float_digits to 3;
  set local statement_timeout to 0; set local lock_timeout to 0; set local idle_in_transaction_session_timeout to 0`

// All reads until the end of the transaction see the database at one instant.
export const beginSnapshot = (client: pg.ClientBase) => client.query(`begin isolation level repeatable read, read only; ${plain}`)
export const begin = (client: pg.ClientBase) => client.query(`begin; ${plain}`)

// Leaves out what extensions bring along.
const isOwn = (catalogue: string) =>
  `not exists (select from pg_depend where classid = '${catalogue}'::regclass and objid = own.oid and deptype = 'e')`
const inPublic = `'public'::regnamespace`
const ownTables = `pg_class own where relnamespace = ${inPublic} and relkind in ('r', 'p') and ${isOwn('pg_class')}`

export async function countTables(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`select count(*)::int from ${ownTables}`)
  return rows[0]!.count
}

// Counts other connections to the database, those of other roles included.
export async function countOthers(client: pg.ClientBase): Promise<number> {
  // A transaction keeps the first list of connections that it saw; this lets it look again.
  await client.query('select pg_stat_clear_snapshot()')
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and coalesce(backend_type, 'client backend') = 'client backend'`,
  )
  return rows[0]!.count
}

export async function describeTables(client: pg.ClientBase): Promise<Manifest['tables']> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    select relname as name, array(select attname::text from pg_attribute
      where attrelid = own.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns
    from ${ownTables} order by relname`)
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]))
}

export async function describeEnums(client: pg.ClientBase): Promise<Manifest['enums']> {
  const { rows } = await client.query<{ name: string; labels: string[] }>(`
    select typname as name, array(select enumlabel::text from pg_enum where enumtypid = own.oid order by enumsortorder) as labels
    from pg_type own where typnamespace = ${inPublic} and typtype = 'e' and ${isOwn('pg_type')} order by typname`)
  return Object.fromEntries(rows.map(({ name, labels }) => [name, labels]))
}

// Sequences are read as they are now, outside the snapshot: they are never behind the snapshot's rows.
export async function describeSequences(client: pg.ClientBase): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ name: string; last: number }>(
    `select sequencename as name, last_value as last from pg_sequences where schemaname = 'public' and last_value is not null order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}

export async function listMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migration order by name')
  return rows.map(({ name }) => name)
}

const listColumns = (columns: readonly string[]) => columns.map(name).join(', ')

// Rows in PostgreSQL's text format: each line feed ends a row, as values have it escaped.
export const copyOut = (client: pg.ClientBase, table: string, columns: readonly string[]) =>
  client.query(copyTo(`copy ${name(table)} (${listColumns(columns)}) to stdout`))

export const copyIn = (client: pg.ClientBase, table: string, columns: readonly string[], rows: AsyncIterable<Buffer>) =>
  pipeline(rows, client.query(copyFrom(`copy ${name(table)} (${listColumns(columns)}) from stdin with (freeze)`)))

// Drops tables, functions and enums, and everything that depends on them.
export const dropAll = (client: pg.ClientBase) =>
  client.query(`do $$
    declare
      names text;
    begin
      select string_agg(own.oid::regclass::text, ', ') into names from ${ownTables};
      if names is not null then execute 'drop table ' || names || ' cascade'; end if;
      select string_agg(own.oid::regprocedure::text, ', ') into names from pg_proc own where pronamespace = ${inPublic} and ${isOwn('pg_proc')};
      if names is not null then execute 'drop routine ' || names || ' cascade'; end if;
      select string_agg(own.oid::regtype::text, ', ') into names
        from pg_type own where typnamespace = ${inPublic} and typtype = 'e' and ${isOwn('pg_type')};
      if names is not null then execute 'drop type ' || names || ' cascade'; end if;
    end $$`)

// The enum of readers' labels grows with the data, so migrations alone do not make them all.
export async function addLabels(client: pg.ClientBase, enums: Manifest['enums']): Promise<void> {
  const there = await describeEnums(client)
  for (const [type, labels] of Object.entries(enums))
    for (const [place, label] of labels.entries()) {
      const beside = place === 0 ? there[type]?.[0] : labels[place - 1]
      const position = beside === undefined ? '' : `${place === 0 ? 'before' : 'after'} ${literal(beside)}`
      await client.query(`alter type ${name(type)} add value if not exists ${literal(label)} ${position}`)
    }
}

/**
 * Empties the tables and takes off triggers, whose work is in the rows already, and foreign keys.
 * @returns a function that puts both back; it throws where a row refers to none
 */
export async function layBare(client: pg.ClientBase, tables: readonly string[]): Promise<() => Promise<void>> {
  const each = (action: (table: string) => string) =>
    client.query(tables.map((table) => `alter table ${name(table)} ${action(table)}`).join('; '))
  const { rows: keys } = await client.query<{ owner: string; key: string; definition: string }>(`
    select conrelid::regclass::text as owner, conname as key, pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace = ${inPublic} and contype = 'f' order by owner, key`)
  await each(() => 'disable trigger user')
  await client.query(keys.map(({ owner, key }) => `alter table ${owner} drop constraint ${name(key)}`).join('; '))
  await client.query(`truncate ${listColumns(tables)}`)
  return async () => {
    for (const { owner, key, definition } of keys) await client.query(`alter table ${owner} add constraint ${name(key)} ${definition}`)
    await each(() => 'enable trigger user')
  }
}

// A restart is undone with the transaction; `setval` is not.
export async function setSequences(client: pg.ClientBase, sequences: Manifest['sequences']): Promise<void> {
  for (const [sequence, last] of Object.entries(sequences)) await client.query(`alter sequence ${name(sequence)} restart with ${last + 1}`)
}
