import type { AuditEntry } from '@lectern/contract/audit/audit.ts'
import { formatSentence } from '@lectern/contract/audit/audit-sentence.ts'
import { ChangeType } from '@lectern/contract/audit/changes.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostileCells, parseCsv } from '../testing/csv.ts'
import { insertEntries, type NewEntry } from '../testing/scenarios/audit-entries.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

async function newLog(entries: readonly NewEntry[]) {
  const organization = await server.organization()
  const reader = await server.person({ organization, permissions: ['access:audit_log'] })
  await insertEntries(db, organization.key, entries)
  const download = (query: Record<string, string> = {}) =>
    server.fetch(`/api/codedm/organization/${organization.id}/audit-log/download?${new URLSearchParams(query)}`, {
      headers: { authorization: `Bearer ${reader.token}` },
    })
  const rows = async (query?: Record<string, string>) => parseCsv(await (await download(query)).text())
  return { organization, download, rows }
}

const headings = [
  ...['In effect since', 'What happened', 'Change', 'Initiator', 'Zone', 'Target', 'Configuration', 'Version'],
  ...['Serial Number', 'New value', 'Address', 'Request', 'Simulated', 'Host PC', 'Rollout'],
]

test('a CSV file named after the day, with the sentence of each entry and all that it says, newest first', async () => {
  const { organization, download, rows } = await newLog([
    { at: '2026-01-01T10:00:00Z', type: 'FirmwareInstalled', serial: '27P041', version: '4.12.0', zone: 'Lab', simulated: true },
  ])
  const manager = await server.person({ organization })
  const change = { target: 'A271/2', zone: 'ICU', config: 'rules.js', version: '3', newValue: 'hash' }
  await insertEntries(db, organization.key, [{ type: 'ZoneConfigChange', by: manager, name: 'Ada Okoro', ...change }])
  const response = await download()
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-log-\d{4}-\d\d-\d\d\.csv"$/)
  expect([...Buffer.from(await response.arrayBuffer()).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  const origin = ['203.0.113.7', 'request']
  expect(await rows()).toEqual([
    headings,
    [
      ...[instant, 'Ada Okoro set the configuration of A271/2 in ICU to rules.js', 'ZoneConfigChange', manager.email],
      ...['ICU', 'A271/2', 'rules.js', '3', '', 'hash', ...origin, '', '', ''],
    ],
    [
      ...['2026-01-01T10:00:00.000Z', 'an unknown user installed firmware 4.12.0 on 27P041 in Lab', 'FirmwareInstalled', ''],
      ...['Lab', '', '', '4.12.0', '27P041', '', ...origin, 'Yes', '', ''],
    ],
  ])
})

test("has the list's filters", async () => {
  const { rows } = await newLog([{ zone: 'A', at: '2026-01-01T00:00:00Z' }, { zone: 'B', type: 'ZoneDelete' }, { zone: 'C' }])
  const zones = async (query: Record<string, string>) => (await rows(query)).slice(1).map((row) => row[4])
  expect(await zones({})).toEqual(['C', 'B', 'A'])
  expect(await zones({ changeType: 'ZoneCreate', from: '2026-01-02T00:00:00Z' })).toEqual(['C'])
  expect(await zones({ textFilter: 'b' })).toEqual(['B'])
  expect(await rows({ zone: 'none' })).toEqual([headings])
})

test('[SES-09] a cell that a spreadsheet takes for a formula is text', async () => {
  const { organization, rows } = await newLog([])
  for (const [number, { text }] of hostileCells.entries()) {
    const by = await server.person({ email: `=${number}@people.example` })
    await insertEntries(db, organization.key, [
      { by, name: text, zone: text, target: text, newValue: text, config: text, serial: text, version: text },
    ])
  }
  const found = (await rows()).slice(1).toReversed()
  const cells = hostileCells.map(({ cell }) => cell)
  for (const column of [4, 5, 6, 7, 8, 9]) expect(found.map((row) => row[column])).toEqual(cells)
  expect(found.map((row) => row[1])).toEqual(hostileCells.map(({ text, cell }) => `${cell} created the zone ${text}`))
  expect(found.map((row) => row[3])).toEqual(hostileCells.map((_, number) => `'=${number}@people.example`))
})

test('the sentence of an entry is that of its page, whatever it has', async () => {
  const { organization, rows } = await newLog([])
  const ada = await server.person({ organization, email: 'ada@people.example' })
  const text = fc.option(fc.constantFrom('', 'true', 'lost', 'found', '1', '12', 'Ward 3', '{target}', '[x]', '100%'), { nil: undefined })
  const entry = fc.record({
    type: fc.constantFrom(...ChangeType.options, 'somethingNew' as const),
    by: fc.constantFrom(null, ada),
    name: text,
    target: text,
    newValue: text,
    zone: text,
    version: text,
    config: text,
    serial: text,
  })
  const said = ({ type, by, name, zone, config, serial, ...parts }: NewEntry) =>
    formatSentence({
      changeType: type ?? '',
      ...(by && { user: { name: name ?? by.email, email: by.email } }),
      ...parts,
      zoneName: zone,
      configName: config,
      deviceSerial: serial,
    } as AuditEntry)
  const entries = fc.sample(entry, 2_000) as NewEntry[]
  await insertEntries(db, organization.key, entries)
  const found = (await rows()).slice(1).toReversed()
  expect(found.map((row) => row[1])).toEqual(entries.map(said))
})
