import type pg from 'pg'
import { judge } from './measure.ts'

/** Bytes of a reader on disk (SCL-09). */
const allowed = 550

/** What grows with readers. */
const tables = ['device', 'device_serial', 'device_count', 'device_total', 'firmware_count', 'reported_firmware', 'reported_configuration']

/** Prints what a reader costs on disk, by table and index. */
export async function measureStorage(client: pg.Client, readers: number): Promise<void> {
  const { rows } = await client.query<{ relation: string; bytes: string }>(
    `select name || ' (rows)' as relation, pg_table_size(name::regclass) as bytes from unnest($1::text[]) name
     union all select i.indexrelid::regclass::text, pg_relation_size(i.indexrelid) from pg_index i where i.indrelid = any($1::text[]::regclass[])
     order by 2 desc`,
    [tables],
  )
  process.stdout.write('\nbytes of a reader on disk\n')
  const perReader = (bytes: string) => Number(bytes) / readers
  for (const { relation, bytes } of rows)
    if (perReader(bytes) >= 0.1) process.stdout.write(`${relation.padEnd(52)}${perReader(bytes).toFixed(1).padStart(10)}\n`)
  judge('bytes of a reader on disk', Math.round(rows.reduce((sum, { bytes }) => sum + perReader(bytes), 0)), allowed)
}
