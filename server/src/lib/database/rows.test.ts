import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createDatabase as createTestDatabase } from '../../testing/database/database.ts'
import { takeNulls } from '../../testing/database/null-guard.ts'
import { createDatabase, createPool } from './database.ts'
import { bigint, bigints, boolean, day, float, instant, integer, json, orNull, read, real, text, texts } from './rows.ts'

const database = await createTestDatabase()
const db = createDatabase(createPool(database.url, { max: 1 }))
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

test('each kind of column comes as its type says, whatever its expression was', async () => {
  const [row] = await read(
    db,
    {
      text: text(sql`'CR2700'::device_model`),
      texts: texts(sql`array['a'::name]`),
      integer: integer(sql`sum(n)`),
      bigint: bigint(sql`2147483648::numeric`),
      bigints: bigints(sql`array_agg(n)`),
      float: float(sql`0.5::numeric`),
      real: real(sql`0.85::float8`),
      boolean: boolean(sql`max(n) = 3`),
      instant: instant(sql`'2026-01-02 03:04Z'::text`),
      day: day(sql`'2026-01-02 03:04'::timestamp`),
      json: json<{ a: number }>(sql`jsonb_build_object('a', 1)`),
      missing: orNull(text(sql`null`)),
    },
    (list) => sql`select ${list} from generate_series(1, 3) n`,
  )
  expect(row).toEqual({
    text: 'CR2700',
    texts: ['a'],
    integer: 6,
    bigint: 2_147_483_648,
    bigints: [1, 2, 3],
    float: 0.5,
    real: 0.85,
    boolean: true,
    instant: new Date('2026-01-02T03:04:00Z'),
    day: '2026-01-02',
    json: { a: 1 },
    missing: null,
  })
})

test('a null in a column whose type has none fails the test in which it is read', async () => {
  const columns = { name: text(sql`null`), other: orNull(text(sql`null`)) }
  await read(db, columns, (list) => sql`select ${list}`)
  expect(takeNulls()).toEqual(['name'])
})
