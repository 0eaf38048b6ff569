import type { Reader, ReaderInput, ReaderPage } from '@lectern/contract/readers.ts'
import { recordChange } from '../audit/audit.ts'
import { streamRows } from '../lib/database/cursor.ts'
import { type Database, sqlState, uniqueViolation } from '../lib/database/database.ts'
import { isStaff, type Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { organizationExists } from '../organizations/organizations.ts'
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

/** Who changes a reader, and from where. */
interface Author {
  caller: Person
  origin: { address: string; requestId: string }
}

/** Throws a Problem unless the organization of a path is one of the caller's (staff: any that exists); of others nobody learns anything. */
export async function checkCustomer(db: Database, caller: Person, organizationId: string): Promise<void> {
  if (caller.organizations.includes(organizationId)) return
  if (!isStaff(caller) || !(await organizationExists(db, organizationId))) throw notFound()
}

/** Every reader that a list shows, read as they are taken. */
export async function* everyReader(db: Database, list: ReaderList): AsyncGenerator<Reader> {
  for await (const row of streamRows(db, selectReaders(db, list))) yield toReader(row)
}

/** A page of the readers that a list shows. */
export async function readerPage(db: Database, list: ReaderList, pageNumber: number, pageSize: number): Promise<ReaderPage> {
  const totalCount = await countReaders(db, list)
  const rows = await selectReaders(db, list, { offset: pageNumber * pageSize, size: pageSize }).execute()
  return { readers: rows.map(toReader), pageNumber, pageSize, totalCount }
}

/** A reader of one of the caller's organizations (staff: of any). Throws a Problem where there is none. */
export const getReader = async (db: Database, caller: Person, id: number): Promise<Reader> => toReader(await findReader(db, caller, id))

/** Registers a reader. A serial number is registered once in an organization. */
export async function registerReader(db: Database, author: Author, organizationId: string, input: ReaderInput): Promise<Reader> {
  await checkCustomer(db, author.caller, organizationId)
  const inserted = await insertReader(db, organizationId, toRow(input))
  if (!inserted) throw taken(input.sn)
  await recordChange(db, author, { organization_id: organizationId, change_type: 'createReader', device_serial: input.sn })
  return getReader(db, author.caller, inserted.id)
}

/** Changes what is said of a reader; the rest stays. */
export async function changeReader(
  db: Database,
  author: Author,
  id: number,
  input: ReaderInput,
  unchanged: (before: Reader) => Promise<void>,
): Promise<Reader> {
  if (typeof input.readerId === 'number' && input.readerId !== id) {
    const message = 'The reader of the body is not the one of the address.'
    throw new Problem(400, message, { errors: [{ field: 'readerId', message }] })
  }
  await lockReader(db, id)
  const before = await findReader(db, author.caller, id)
  await unchanged(toReader(before))
  try {
    await updateReader(db, id, toRow(input))
  } catch (error) {
    if (sqlState(error) === uniqueViolation) throw taken(input.sn)
    throw error
  }
  const { isLost = before.is_lost } = input
  await recordChange(db, author, {
    organization_id: before.organization_id,
    change_type: 'updateReader',
    device_serial: input.sn,
    ...(isLost !== before.is_lost && { new_value: isLost ? 'lost' : 'found' }),
  })
  return getReader(db, author.caller, id)
}

/** Deletes a reader from the registry. What host PCs report of it is not the registry's. */
export async function removeReader(db: Database, author: Author, id: number): Promise<void> {
  await lockReader(db, id)
  const { organization_id, serial_number } = await findReader(db, author.caller, id)
  await deleteReader(db, id)
  await recordChange(db, author, { organization_id, change_type: 'deleteReader', device_serial: serial_number })
}

async function findReader(db: Database, caller: Person, id: number): Promise<ReaderRow> {
  const row = await selectReader(db, id, isStaff(caller) ? 'all' : caller.organizations)
  if (!row) throw notFound('reader')
  return row
}

function taken(sn: string): Problem {
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
})
