import { randomInt } from 'node:crypto'
import type { VendorKeys } from '@lectern/contract/licences/licence-file.ts'
import {
  type LicenceDetails,
  type LicenceFilter,
  type LicenceInput,
  type LicencePage,
  type LicenceSort,
  type LicenceType,
  purchaseOrderProblem,
} from '@lectern/contract/licences/licences.ts'
import { uuidv7 } from 'uuidv7'
import { recordChange } from '../audit/audit.ts'
import type { Database } from '../lib/database/database.ts'
import type { Licence as LicenceCaller, Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import {
  countLicences,
  insertLicence,
  selectByNumber,
  selectLicence,
  selectLicencePage,
  selectLicensee,
  selectType,
  selectTypes,
} from './sql.ts'
import { signLicenceFile, vendorKey } from './vendor-key.ts'

/** The licence of this number, as what opens an enrolment; undefined where there is none. */
export async function licenceOfNumber(db: Database, number: string): Promise<LicenceCaller | undefined> {
  const row = await selectByNumber(db, number)
  return row && { licenceId: row.id, organizationId: row.organization_id }
}

/** The keys that licence files are verified with. */
export const vendorKeys = async (db: Database): Promise<VendorKeys> => ({ keys: [await vendorKey(db)] })

// Characters that cannot be mistaken for one another when they are read out.
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const group = (): string => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')

/** A licence number that nobody can guess. */
export const newLicenceNumber = (): string => `LEC-${group()}-${group()}-${group()}-${group()}`

/** What an organization's licences can be for. */
export async function licenceTypes(db: Database, organizationId: string): Promise<LicenceType[]> {
  const { licence_type_id } = await selectLicensee(db, organizationId)
  return (await selectTypes(db)).map(({ id, name, need_purchase_order }) => ({
    licenseId: id,
    name,
    needPurchaseOrder: need_purchase_order,
    isDefault: id === licence_type_id,
  }))
}

/** A page of the licences that a filter shows. */
export async function licencePage(
  db: Database,
  organizationId: string,
  query: LicenceFilter & LicenceSort & { PageNumber: number; PageSize: number },
): Promise<LicencePage> {
  const { textFilter, startDate, endDate, PageNumber: pageNumber, PageSize: pageSize } = query
  if (startDate !== undefined && endDate !== undefined && startDate > endDate)
    throw refused(400, 'endDate', 'The last day must not be before the first.')
  const isAll = textFilter.trim() === '' && startDate === undefined && endDate === undefined
  const total = isAll ? (await selectLicensee(db, organizationId)).licence_count : await countLicences(db, organizationId, query)
  const rows = await selectLicencePage(db, organizationId, query, query, { offset: pageNumber * pageSize, size: pageSize, total })
  return { licenses: rows.map((row) => ({ ...toLicence(row), hasFile: row.has_file })), pageSize, pageNumber, totalCount: total }
}

/** A licence with its file. Throws a Problem where the organization has no such one. */
export async function licenceDetails(db: Database, organizationId: string, id: string): Promise<LicenceDetails> {
  const row = await selectLicence(db, organizationId, id)
  if (!row) throw notFound('licence')
  const { file } = row
  return {
    ...toLicence(row),
    hasFile: file !== null,
    file: file === null ? null : { name: `${row.licence_number}.licence`, content: file },
  }
}

/** Who records a licence, for whom, and from where. */
interface Call {
  caller: Person
  origin: { address: string; requestId: string }
  params: { organizationId: string }
  body: LicenceInput
  settings: { providerName: string }
}

/** Records a licence; a generated one has a file that the vendor signs. Throws a Problem that names the field where one is refused. */
export async function recordLicence(db: Database, call: Call, change: 'createLicence' | 'generateLicence'): Promise<LicenceDetails> {
  const { organizationId } = call.params
  const { serialNumbers } = call.body
  const organization = await selectLicensee(db, organizationId)
  const type = await selectType(db, call.body.licenseId ?? organization.licence_type_id)
  if (!type) throw refused(400, 'licenseId', 'There is no such licence type.')
  const purchaseOrderNumber = call.body.purchaseOrderNumber || null
  const missing = purchaseOrderProblem({ name: type.name, needPurchaseOrder: type.need_purchase_order }, purchaseOrderNumber)
  if (missing) throw refused(400, 'purchaseOrderNumber', missing)
  const licenseNumber = call.body.licenseNumber || newLicenceNumber()
  const date = new Date()
  const payload = {
    iss: call.settings.providerName,
    organization: { id: organizationId, name: organization.name },
    licenceType: type.name,
    licenseNumber,
    purchaseOrderNumber,
    serialNumbers,
    date: date.toISOString(),
  }
  const licence = {
    id: uuidv7(),
    organization_id: organizationId,
    licence_number: licenseNumber,
    type_id: type.id,
    serial_numbers: serialNumbers,
    purchase_order_number: purchaseOrderNumber,
    file: change === 'generateLicence' ? await signLicenceFile(db, payload) : null,
    created_at: date,
  }
  if (!(await insertLicence(db, licence))) throw refused(409, 'licenseNumber', `The licence number ${licenseNumber} is taken.`)
  await recordChange(db, call, { organization_id: organizationId, change_type: change, target: licenseNumber, new_value: type.name })
  return licenceDetails(db, organizationId, licence.id)
}

const refused = (status: number, field: string, message: string) => new Problem(status, message, { errors: [{ field, message }] })

const toLicence = (row: {
  id: string
  licence_number: string
  type_id: number
  serial_numbers: string[]
  purchase_order_number: string | null
  created_at: Date
}) => ({
  id: row.id,
  serialNumbers: row.serial_numbers,
  licenseNumber: row.licence_number,
  purchaseOrderNumber: row.purchase_order_number,
  date: row.created_at.toISOString(),
  licenseId: row.type_id,
})
