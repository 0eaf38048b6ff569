import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { edits } from '../../testing/edits.ts'
import { salesforceSettings, startSalesforce } from '../../testing/salesforce.ts'
import { serverForFile } from '../../testing/server.ts'
import { until } from '../../testing/until.ts'

const salesforce = await startSalesforce()
afterAll(() => salesforce.close())
const server = await serverForFile()
const other = await serverForFile({ environment: salesforceSettings(salesforce) })

const all = { ...edits(server), 'updateCase in the Salesforce': edits(other).updateCase }
const changed = 'Another user has changed this. Nothing was saved. Read it again and repeat your change.'

/** Locks all tables against writes, so that concurrent writes meet. */
async function holdTables(): Promise<() => Promise<void>> {
  const transaction = await server.app.db.startTransaction().execute()
  await sql`lock table ad, product, reader, organization, group_product, support_case, saved_configuration in exclusive mode`.execute(
    transaction,
  )
  return () => transaction.rollback().execute()
}

async function waiting(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(server.app.db)
  return rows.length
}

const getTag = ({ headers }: { headers: Headers }) => headers.get('etag') ?? ''

describe.each(Object.entries(all))('%s', (name, make) => {
  test('what is based on an older record is refused, and what was written since stays', async () => {
    const { read, write } = await make()
    const tag = getTag(await read())
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/)
    const first = await write(1, { 'if-match': tag })
    expect(first.status).toBe(200)
    const now = await read()
    expect([getTag(first), getTag(now) === tag]).toEqual([getTag(now), false])
    const late = await write(2, { 'if-match': tag })
    expect([late.status, late.problem]).toEqual([412, expect.objectContaining({ title: 'Changed by another user', detail: changed })])
    expect((await read()).text).toBe(now.text)
    expect((await write(2, { 'if-match': getTag(now) })).status).toBe(200)
  })

  test('of eight at once that are based on the same record exactly one is written', async () => {
    const { read, write } = await make()
    const headers = { 'if-match': getTag(await read()) }
    const release = await holdTables()
    const writes = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => write(number, headers))
    // What Salesforce stores waits for no table. A sweep may wait too. In any case the tables are free for the next test.
    try {
      if (!name.includes('Salesforce')) await until(async () => (await waiting()) >= 3)
    } finally {
      await release()
    }
    const answers = await Promise.all(writes)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)])
    const winner = answers.find(({ status }) => status === 200)!
    expect(getTag(await read())).toBe(getTag(winner))
  })

  test('a write without If-Match, or with *, overwrites it', async () => {
    const { write } = await make()
    for (const headers of [undefined, { 'if-match': '*' }]) {
      expect((await write(1)).status).toBe(200)
      expect((await write(2, headers)).status).toBe(200)
    }
  })

  test('repeated with its key it returns the first reply, not a 412', async () => {
    const { read, write } = await make()
    const headers = { 'if-match': getTag(await read()), 'idempotency-key': randomUUID() }
    const [first, again] = [await write(1, headers), await write(1, headers)]
    expect([again.status, again.text, getTag(again)]).toEqual([200, first.text, getTag(first)])
  })

  test('a change that is no edit keeps the ETag', async () => {
    const { read, touch } = await make()
    const before = await read()
    await touch?.()
    expect(getTag(await read())).toBe(getTag(before))
  })
})

test('any of several tags will do, also one that a proxy has marked as weak; what is no tag is refused in words', async () => {
  const { read, write } = await all.updateAd()
  const tag = getTag(await read())
  expect((await write(1, { 'if-match': '"0", "1"' })).status).toBe(412)
  expect((await write(1, { 'if-match': `"0", W/${tag}` })).status).toBe(200)
  const { status, problem } = await write(2, { 'if-match': tag.slice(1, -1) })
  expect([status, problem.detail]).toEqual([400, 'If-Match must be * or the ETag of a response, with its quotation marks.'])
})

test('what is not there is not there, whatever the change is based on', async () => {
  const { call } = await server.person({ permissions: ['global:access:organizations'] })
  const { read } = await all.updateAd()
  const body = JSON.parse((await read()).text)
  const answer = await call('updateAd', { params: { id: 2_147_483_647 }, body }, { 'if-match': '"0"' })
  expect([answer.status, answer.problem.detail]).toEqual([404, 'There is no such ad.'])
})
