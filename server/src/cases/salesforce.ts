import type { CaseContact, CaseDetail, CaseEntry } from '@lectern/contract/cases/cases.ts'
import { type Salesforce, soqlAnywhere, soqlText } from '../lib/salesforce.ts'
import { type CaseChanges, type CaseFilter, type CasePart, caseAttributes, type Desk, type NewCase } from './desk.ts'

/** Salesforce passes over no more records than these. */
const farthestOffset = 2_000
const mostContacts = 50

const entryFields = ['Id', 'ContactEmail', 'SuppliedEmail', 'ContactId', 'Status', 'CreatedDate', 'Subject'] as const
const detailFields = [...entryFields, 'Description', 'Reason', 'Priority', 'Origin', 'Action_Plan__c', 'Model__c'] as const
type Row<Field extends string> = { [Name in Field]: string | null }
type DetailRow = Row<(typeof detailFields)[number]>

/**
 * The desk in a Salesforce organization, whose cases have the fields Action_Plan__c and Model__c besides the standard ones. What Salesforce
 * cannot do itself, `hold` does: it keeps others off a case, those who change it here, until the write ends.
 */
export const salesforceDesk = (salesforce: Salesforce, hold: (id: string) => Promise<unknown>): Desk => {
  const row = async (id: string) => (isId(id) ? salesforce.read<DetailRow>('Case', id, detailFields) : undefined)

  /** The id of a record type where only its name is given. */
  async function findRecordType(recordType: NewCase['recordType']): Promise<string | undefined> {
    if (!recordType?.developerName || recordType.id) return recordType?.id || undefined
    const named = `SobjectType = 'Case' AND DeveloperName = ${soqlText(recordType.developerName)}`
    const { records } = await salesforce.query<{ Id: string }>(`SELECT Id FROM RecordType WHERE ${named} LIMIT 1`)
    // A name that nobody has is refused as an id that nobody has.
    return records[0]?.Id ?? recordType.developerName
  }

  return {
    list: (filter, part) => listed(salesforce, filter, part),
    async read(id) {
      const found = await row(id)
      return found && toDetail(found)
    },
    async create(what) {
      const { contactEmail, contactId, recordType } = what
      const values = { ...toValues(what), Origin: what.origin, SuppliedEmail: contactEmail }
      const added = { ContactId: contactId ?? undefined, RecordTypeId: await findRecordType(recordType) }
      const id = await salesforce.create('Case', { ...values, ...added })
      const createdDate = new Date().toISOString()
      return { attributes: caseAttributes(id), id, contactEmail, status: what.status, createdDate, subject: what.subject }
    },
    async change(id, changesOf) {
      await hold(id)
      const found = await row(id)
      if (!found) return undefined
      const changed = toValues(await changesOf(toDetail(found)))
      if (!(await salesforce.update('Case', id, changed))) return undefined
      return toDetail({ ...found, ...changed })
    },
    writing: salesforce.hurried,
    remove: async (id) => isId(id) && salesforce.remove('Case', id),
    async contacts(email) {
      const soql = `SELECT Id, Email FROM Contact WHERE Email = ${soqlText(email)} ORDER BY Id LIMIT ${mostContacts}`
      const { records } = await salesforce.query<Row<'Id' | 'Email'>>(soql)
      return records.map(({ Id, Email }): CaseContact => ({ id: Id ?? '', contactEmail: Email ?? email }))
    },
  }
}

async function listed(salesforce: Salesforce, filter: CaseFilter, { offset, size }: CasePart) {
  const where = buildWhere(filter)
  const within = offset <= farthestOffset
  const { records } = within
    ? await salesforce.query<Row<(typeof entryFields)[number]>>(
        `SELECT ${entryFields.join(', ')} FROM Case${where} ORDER BY CreatedDate DESC, Id DESC LIMIT ${size}${offset > 0 ? ` OFFSET ${offset}` : ''}`,
      )
    : { records: [] }
  const cases = records.map(toEntry)
  if (offset === 0 && cases.length < size) return { cases, total: cases.length }
  const { total } = await salesforce.query(`SELECT COUNT() FROM Case${where}`)
  const shown = Math.max(size, farthestOffset + size - (farthestOffset % size))
  return total > shown ? { cases, total: shown, outOf: total } : { cases, total }
}

/** A contact's address counts before the one that a case came with, as anybody may write any address into a form. */
function buildWhere({ contactEmail, status, text }: CaseFilter): string {
  const parts: string[] = []
  const either = (operator: string, literal: string) =>
    `ContactEmail ${operator} ${literal} OR (ContactId = null AND SuppliedEmail ${operator} ${literal})`
  if (contactEmail !== undefined) parts.push(`(${either('=', soqlText(contactEmail))})`)
  if (status !== undefined) parts.push(`Status = ${soqlText(status)}`)
  if (text !== '') {
    const literal = soqlAnywhere(text)
    parts.push(`(Subject LIKE ${literal} OR CaseNumber LIKE ${literal} OR ${either('LIKE', literal)})`)
  }
  return parts.length === 0 ? '' : ` WHERE ${parts.join(' AND ')}`
}

/** Ids of records have 15 or 18 letters and digits; those of cases begin with 500. */
const isId = (id: string): boolean => /^500(\w{12}|\w{15})$/.test(id) && !id.includes('_')

const toValues = ({ status, subject, description, reason, plan, priority, model }: CaseChanges) => {
  const values = { Status: status, Subject: subject, Description: description, Reason: reason, Priority: priority }
  return defined({ ...values, Action_Plan__c: plan, Model__c: model })
}

const defined = <Values extends Record<string, string | null | undefined>>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<string, string | null>

const findContactAddress = (row: Pick<DetailRow, 'ContactEmail' | 'ContactId' | 'SuppliedEmail'>): string | null =>
  row.ContactEmail ?? (row.ContactId === null ? row.SuppliedEmail : null)

const toEntry = (row: Row<(typeof entryFields)[number]>): CaseEntry => ({
  attributes: caseAttributes(row.Id ?? ''),
  id: row.Id ?? '',
  contactEmail: findContactAddress(row),
  status: row.Status ?? '',
  createdDate: toIsoInstant(row.CreatedDate ?? ''),
  subject: row.Subject ?? '',
})

/** `2027-01-31T08:30:00.000+0000`, as Salesforce writes it, in the form of all our instants. */
const toIsoInstant = (text: string): string => text.replace(/\+0000$/, 'Z')

const toDetail = (row: DetailRow): CaseDetail => ({
  status: row.Status ?? '',
  contactEmail: findContactAddress(row),
  subject: row.Subject ?? '',
  description: row.Description ?? '',
  reason: row.Reason,
  action_Plan__c: row.Action_Plan__c ?? '',
  priority: row.Priority,
  origin: row.Origin,
  model__c: row.Model__c,
  contactId: row.ContactId,
})
