import { hkdfSync } from 'node:crypto'
import { formatCommandLines, parseCommandLines } from '@lectern/contract/barcode/commands.ts'
import type { DeskFilter, DeskRecord, DeskRecordDetail, DeskRecordPage, NewDeskRecord } from '@lectern/contract/desk/desk.ts'
import { recordChange } from '../audit/audit.ts'
import type { Actor } from '../lib/actor.ts'
import { createCsvFile } from '../lib/csv/csv-sql.ts'
import type { Database } from '../lib/database/database.ts'
import { getSigningSecret } from '../lib/database/signing-secret.ts'
import { wholeOrganization, type ZoneScope } from '../lib/database/zone-scope.ts'
import type { Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import type { Exports, Streamed } from '../lib/http/serve.ts'
import { findContent } from '../library/library.ts'
import { registerFromDesk } from '../readers/readers.ts'
import {
  cells,
  countRecords,
  type DeskScope,
  insertRecord,
  lockRecord,
  type RecordRow,
  selectCells,
  selectRecord,
  selectRecords,
  type WholeRow,
  withdraw,
} from './sql.ts'

export const findDeskScope = (zones: ZoneScope, { userId }: Person): DeskScope => ({ ...zones, caller: userId })

const toRecord = (row: RecordRow): DeskRecord => ({
  id: row.id,
  serialNumber: row.serial_number,
  identity: { model: row.typed_model, firmware: row.typed_firmware },
  configuration: {
    ...(row.configuration_id !== null && { id: row.configuration_id }),
    ...(row.version !== null && { version: row.version }),
    name: row.configuration_name,
    device: row.device,
  },
  typedSlowly: row.typed_slowly,
  typedAt: row.typed_at.toISOString(),
  browser: row.browser,
  keptAt: row.created_at.toISOString(),
  size: row.size,
  ...(row.created_by !== null && { keptBy: row.created_by }),
  ...(row.withdrawn_at !== null && {
    withdrawn: {
      at: row.withdrawn_at.toISOString(),
      reason: row.reason ?? '',
      ...(row.withdrawn_by !== null && { by: row.withdrawn_by }),
    },
  }),
})

export async function listRecords(
  db: Database,
  scope: DeskScope,
  { PageNumber, PageSize, ...filter }: DeskFilter & { PageNumber: number; PageSize: number },
): Promise<DeskRecordPage> {
  const totalCount = await countRecords(db, scope, filter)
  const rows = await selectRecords(db, scope, filter, { offset: PageNumber * PageSize, size: PageSize })
  return { recordList: rows.map(toRecord), pageNumber: PageNumber, pageSize: PageSize, totalCount }
}

async function getRow(db: Database, scope: DeskScope, id: string): Promise<WholeRow> {
  const row = await selectRecord(db, scope, id)
  if (!row) throw notFound('record')
  return row
}

export async function getRecord(db: Database, scope: DeskScope, id: string): Promise<DeskRecordDetail> {
  const row = await getRow(db, scope, id)
  return { ...toRecord(row), commands: parseCommandLines(row.commands), typed: row.typed }
}

/** Stores a record once, however often it is sent. Throws a Problem 400 where the library has other commands, and a 409 where the id has another record. */
export async function createRecord(db: Database, actor: Actor<Person>, organizationId: number, record: NewDeskRecord): Promise<DeskRecord> {
  const { configuration, identity, serialNumber } = record
  const commands = formatCommandLines(record.commands)
  await checkCommands(db, organizationId, configuration, commands)
  const inserted = await insertRecord(db, {
    organization_id: organizationId,
    id: record.id,
    serial_number: serialNumber,
    typed_model: identity.model,
    typed_firmware: identity.firmware,
    configuration_id: configuration.id ?? null,
    version: configuration.version ?? null,
    configuration_name: configuration.name,
    device: configuration.device,
    commands,
    typed: record.typed,
    typed_slowly: record.typedSlowly,
    browser: record.browser,
    created_by: actor.caller.userId,
    // A PC's clock may be ahead.
    typed_at: new Date(Math.min(Date.parse(record.typedAt), Date.now())),
  })
  const row = await getRow(db, { ...wholeOrganization(organizationId), caller: actor.caller.userId }, record.id)
  if (!inserted) {
    if (row.maker_id === actor.caller.userId && row.serial_number === serialNumber && row.typed === record.typed) return toRecord(row)
    throw new Problem(409, 'There is another record with this id. Set the reader up again.', { code: 'desk-record-exists' })
  }
  const isNew = await registerFromDesk(db, actor, organizationId, serialNumber)
  await recordChange(db, actor, {
    organization_id: organizationId,
    change_type: 'createDeskRecord',
    device_serial: serialNumber,
    config_name: configuration.name,
    version: configuration.version === undefined ? null : String(configuration.version),
    ...(isNew && { new_value: 'registered' }),
  })
  return toRecord(row)
}

/** A record is kept as it is where the library does not have its version any more. */
async function checkCommands(
  db: Database,
  organizationId: number,
  { id, version, name }: NewDeskRecord['configuration'],
  commands: string,
): Promise<void> {
  // Commands that are in no library.
  if (id === undefined || version === undefined) return
  const content = await findContent(db, organizationId, id, version)
  if (content === null || content === commands) return
  const message = `Version ${version} of ${name} has other commands in the library.`
  throw new Problem(400, message, { code: 'desk-commands-wrong', errors: [{ field: 'commands', message }] })
}

/** Throws a Problem 409 where it is withdrawn already. */
export async function withdrawRecord(
  db: Database,
  actor: Actor<Person>,
  { organizationId, id }: { organizationId: number; id: string },
  reason: string,
): Promise<DeskRecord> {
  const scope = { ...wholeOrganization(organizationId), caller: actor.caller.userId }
  await lockRecord(db, organizationId, id)
  const before = await getRow(db, scope, id)
  if (before.withdrawn_at !== null) throw new Problem(409, 'The record is withdrawn already.', { code: 'desk-record-withdrawn' })
  await withdraw(db, organizationId, id, actor.caller.userId, reason)
  await recordChange(db, actor, {
    organization_id: organizationId,
    change_type: 'withdrawDeskRecord',
    device_serial: before.serial_number,
    new_value: reason,
  })
  return toRecord(await getRow(db, scope, id))
}

export const downloadRecords = ({ db, exportPool }: Exports, scope: DeskScope, filter: DeskFilter): Promise<Streamed> =>
  createCsvFile(exportPool, {
    fileName: `desk-records-${new Date().toISOString().slice(0, 10)}.csv`,
    cells,
    instants: ['Typed at', 'Kept at', 'Withdrawn at'],
    query: selectCells(db, scope, filter),
  })

/** Each account and organization has another; a migration makes the secret. */
export async function getDeskKey(db: Database, { userId }: Person, organizationId: number): Promise<{ key: string }> {
  const secret = await getSigningSecret(db, 'desk', () => {
    throw new Error('The secret of desks is missing.')
  })
  const key = hkdfSync('sha256', secret, '', `desk ${organizationId} ${userId}`, 32)
  return { key: Buffer.from(key).toString('base64') }
}
