import type { Reader, ReaderInput, ReaderPage } from '@lectern/contract/readers.ts'
import { recordChange } from '../audit/audit.ts'
import type { Actor } from '../lib/actor.ts'
import { streamRows } from '../lib/database/cursor.ts'
import { type Database, sqlState, uniqueViolation } from '../lib/database/database.ts'
import { findScope, type Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { getWholeOrganization } from '../organizations/organizations.ts'
import {
  countReaders,
  deleteReader,
  insertReader,
  lockReader,
  type ReaderList,
  type ReaderRow,
  selectReader,
  selectReaders,
  updateReader,
} from './sql.ts'

export async function* streamReaders(db: Database, list: ReaderList): AsyncGenerator<Reader> {
  for await (const row of streamRows(db, selectReaders(db, list))) yield toReader(row)
}

export async function listReaders(db: Database, list: ReaderList, pageNumber: number, pageSize: number): Promise<ReaderPage> {
  const totalCount = await countReaders(db, list)
  const rows = await selectReaders(db, list, { offset: pageNumber * pageSize, size: pageSize }).execute()
  return { readers: rows.map(toReader), pageNumber, pageSize, totalCount }
}

export const getReader = async (db: Database, caller: Person, id: number): Promise<Reader> => toReader(await getRow(db, caller, id))

/** Throws a Problem 409 where the organization has the serial number already. */
export async function registerReader(db: Database, actor: Actor<Person>, customer: string, input: ReaderInput): Promise<Reader> {
  const { id: organizationId } = await getWholeOrganization(db, actor.caller, customer)
  const inserted = await insertReader(db, organizationId, toRow(input), actor.caller.userId)
  if (!inserted) throw createConflict(input.sn)
  await recordChange(db, actor, { organization_id: organizationId, change_type: 'createReader', device_serial: input.sn })
  return getReader(db, actor.caller, inserted.id)
}

/** Whether it is new. A registry that has it already stays as it is. */
export async function registerFromDesk(db: Database, { caller }: Actor<Person>, organizationId: number, sn: string): Promise<boolean> {
  return (await insertReader(db, organizationId, { serial_number: sn }, caller.userId)) !== undefined
}

export async function changeReader(
  db: Database,
  actor: Actor<Person>,
  id: number,
  input: ReaderInput,
  unchanged: (before: Reader) => Promise<void>,
): Promise<Reader> {
  if (typeof input.readerId === 'number' && input.readerId !== id) {
    const message = 'The body names another reader than the path.'
    throw new Problem(400, message, { errors: [{ field: 'readerId', message }] })
  }
  await lockReader(db, id, findScope(actor.caller))
  const before = await getRow(db, actor.caller, id)
  await unchanged(toReader(before))
  try {
    await updateReader(db, before.organization_id, id, toRow(input))
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw createConflict(input.sn)
    throw error
  }
  const { isLost = before.is_lost } = input
  await recordChange(db, actor, {
    organization_id: before.organization_id,
    change_type: 'updateReader',
    device_serial: input.sn,
    ...(isLost !== before.is_lost && { new_value: isLost ? 'lost' : 'found' }),
  })
  return getReader(db, actor.caller, id)
}

/** Deletes it from the registry only; what host PCs report of it stays. */
export async function removeReader(db: Database, actor: Actor<Person>, id: number): Promise<void> {
  await lockReader(db, id, findScope(actor.caller))
  const { organization_id, serial_number } = await getRow(db, actor.caller, id)
  await deleteReader(db, organization_id, id)
  await recordChange(db, actor, { organization_id, change_type: 'deleteReader', device_serial: serial_number })
}

async function getRow(db: Database, caller: Person, id: number): Promise<ReaderRow> {
  const row = await selectReader(db, id, findScope(caller))
  if (!row) throw notFound('reader')
  return row
}

function createConflict(sn: string): Problem {
  const message = `The serial number ${sn} is registered already.`
  return new Problem(409, message, { errors: [{ field: 'sn', message }] })
}

const toRow = ({ sn, isLost, lastActivityDate, codeMasterId }: ReaderInput) => ({
  serial_number: sn,
  is_lost: isLost,
  last_activity_at: typeof lastActivityDate === 'string' ? new Date(lastActivityDate) : lastActivityDate,
  code_master_id: codeMasterId === '' ? null : codeMasterId,
})

const toReader = (row: ReaderRow): Reader => ({
  readerId: row.id,
  sn: row.serial_number,
  isLost: row.is_lost,
  lastActivityDate: row.active_at?.toISOString() ?? null,
  codeMasterId: row.code_master_id,
  ...(row.simulated && { simulated: true }),
})
