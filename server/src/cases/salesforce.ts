import type { CaseContact, CaseDetail, CaseEntry } from '@lectern/contract/cases/cases.ts'
import { Problem } from '../lib/http/problem.ts'
import { type Salesforce, SalesforceError, type SalesforceFault, soqlContains, soqlText } from '../lib/salesforce.ts'
import { type CaseChanges, type CaseFilter, type CasePart, caseAttributes, type Desk, type NewCase } from './desk.ts'

const largestOffset = 2_000
const mostContacts = 50

const entryFields = ['Id', 'ContactEmail', 'SuppliedEmail', 'ContactId', 'Status', 'CreatedDate', 'Subject'] as const
const detailFields = [...entryFields, 'Description', 'Reason', 'Priority', 'Origin', 'Action_Plan__c', 'Model__c'] as const
type Row<Field extends string> = { [Name in Field]: string | null }
type DetailRow = Row<(typeof detailFields)[number]>

/**
 * Cases of the Salesforce organization have the fields Action_Plan__c and Model__c besides the standard ones. `lock` keeps other writes of this
 * portal off a case until the write ends, which Salesforce cannot do.
 */
export const salesforceDesk = (salesforce: Salesforce, lock: (id: string) => Promise<unknown>): Desk => {
  const findRow = async (id: string) => (isId(id) ? salesforce.read<DetailRow>('Case', id, detailFields) : undefined)

  async function findRecordType(recordType: NewCase['recordType']): Promise<string | undefined> {
    if (!recordType?.developerName || recordType.id) return recordType?.id || undefined
    const named = `SobjectType = 'Case' AND DeveloperName = ${soqlText(recordType.developerName)}`
    const { records } = await salesforce.query<{ Id: string }>(`SELECT Id FROM RecordType WHERE ${named} LIMIT 1`)
    // An unknown name is passed on: Salesforce refuses it as an unknown id.
    return records[0]?.Id ?? recordType.developerName
  }

  return {
    list: (filter, part) => listCases(salesforce, filter, part),
    async read(id) {
      const found = await findRow(id)
      return found && toDetail(found)
    },
    async create(newCase) {
      const { contactEmail, contactId, recordType } = newCase
      const values = { ...toValues(newCase), Origin: newCase.origin, SuppliedEmail: contactEmail }
      const added = { ContactId: contactId ?? undefined, RecordTypeId: await findRecordType(recordType) }
      const id = await salesforce.create('Case', { ...values, ...added })
      const createdDate = new Date().toISOString()
      return { attributes: caseAttributes(id), id, contactEmail, status: newCase.status, createdDate, subject: newCase.subject }
    },
    async change(id, getChanges) {
      await lock(id)
      const found = await findRow(id)
      if (!found) return undefined
      const changed = toValues(await getChanges(toDetail(found)))
      if (!(await salesforce.update('Case', id, changed))) return undefined
      return toDetail({ ...found, ...changed })
    },
    write: salesforce.limited,
    remove: async (id) => isId(id) && salesforce.remove('Case', id),
    async contacts(email) {
      const soql = `SELECT Id, Email FROM Contact WHERE Email = ${soqlText(email)} ORDER BY Id LIMIT ${mostContacts}`
      const { records } = await salesforce.query<Row<'Id' | 'Email'>>(soql)
      return records.map(({ Id, Email }): CaseContact => ({ id: Id ?? '', contactEmail: Email ?? email }))
    },
  }
}

async function listCases(salesforce: Salesforce, filter: CaseFilter, { offset, size }: CasePart) {
  const where = buildWhere(filter)
  const within = offset <= largestOffset
  const { records } = within
    ? await salesforce.query<Row<(typeof entryFields)[number]>>(
        `SELECT ${entryFields.join(', ')} FROM Case${where} ORDER BY CreatedDate DESC, Id DESC LIMIT ${size}${offset > 0 ? ` OFFSET ${offset}` : ''}`,
      )
    : { records: [] }
  const cases = records.map(toEntry)
  if (offset === 0 && cases.length < size) return { cases, total: cases.length }
  const { total } = await salesforce.query(`SELECT COUNT() FROM Case${where}`)
  const shown = Math.max(size, largestOffset + size - (largestOffset % size))
  return total > shown ? { cases, total: shown, outOf: total } : { cases, total }
}

// A case counts for its contact's address. The address that it was sent with counts only without a contact, as it is not verified.
function buildWhere({ contactEmail, status, text }: CaseFilter): string {
  const parts: string[] = []
  const either = (operator: string, literal: string) =>
    `ContactEmail ${operator} ${literal} OR (ContactId = null AND SuppliedEmail ${operator} ${literal})`
  if (contactEmail !== undefined) parts.push(`(${either('=', soqlText(contactEmail))})`)
  if (status !== undefined) parts.push(`Status = ${soqlText(status)}`)
  if (text !== '') {
    const literal = soqlContains(text)
    parts.push(`(Subject LIKE ${literal} OR CaseNumber LIKE ${literal} OR ${either('LIKE', literal)})`)
  }
  return parts.length === 0 ? '' : ` WHERE ${parts.join(' AND ')}`
}

/** Salesforce ids of cases: 500, then 12 or 15 letters and digits. */
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

/** Seconds. So long a wait makes the web show the sentence instead of retrying. */
const later = 120
const muchLater = 600

const problems: Record<Exclude<SalesforceFault, 'invalid'>, { status: number; sentence: string; retryAfter?: number }> = {
  unreachable: { status: 503, sentence: 'The support desk cannot be reached now.' },
  busy: { status: 503, sentence: 'The support desk is busy now.' },
  late: { status: 503, sentence: 'The support desk does not answer in time.', retryAfter: later },
  limit: { status: 503, sentence: 'The support desk takes no more requests for now.', retryAfter: muchLater },
  unclear: {
    status: 502,
    sentence: 'The support desk did not answer. It is not known whether this was saved. Check the case list before you send it again.',
    retryAfter: later,
  },
  broken: { status: 502, sentence: 'The support desk did not understand the portal. The problem was recorded.', retryAfter: later },
}

const fieldNames: Record<string, string> = {
  Subject: 'subject',
  Description: 'description',
  Status: 'status',
  Reason: 'reason',
  Action_Plan__c: 'plan',
  Priority: 'priority',
  Origin: 'origin',
  Model__c: 'model',
  SuppliedEmail: 'contactEmail',
  ContactId: 'contactId',
  RecordTypeId: 'recordType',
}

const fieldMessages: Record<string, string> = { REQUIRED_FIELD_MISSING: 'must not be empty', STRING_TOO_LONG: 'is too long' }

/** Turns a SalesforceError into a Problem that names the support line; returns any other error as it is. */
export function toProblem(error: unknown, phone: string): unknown {
  if (!(error instanceof SalesforceError)) return error
  if (error.fault === 'invalid') return toFieldProblem(error)
  const { status, sentence, retryAfter } = problems[error.fault]
  const detail = `${sentence} The support line is ${phone}.`
  return new Problem(status, detail, { cause: error, ...(retryAfter !== undefined && { retryAfter }) })
}

function toFieldProblem(error: SalesforceError): Problem {
  const errors = error.errors.flatMap(({ errorCode, message, fields: named = [] }) =>
    named.flatMap((name) => (fieldNames[name] ? [{ field: fieldNames[name], message: fieldMessages[errorCode] ?? message }] : [])),
  )
  const all = error.errors.map(({ message }) => message).join(' ')
  const detail = errors.map(({ field, message }) => (/^[A-Z]/.test(message) ? message : `${field} ${message}`)).join(' ')
  return new Problem(400, errors.length > 0 ? detail : `The support desk refuses this: ${all}`, { errors, cause: error })
}
