import type { CaseDetail, CaseEntry } from '@lectern/contract/cases/cases.ts'
import type { Selectable } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import type { SupportCase } from '../lib/database/schema.ts'
import { caseAttributes, type Desk } from './desk.ts'
import { countCases, deleteCase, insertCase, selectCase, selectCases, selectVerifiedPeople, updateCase } from './sql.ts'

const mostContacts = 50

export const databaseDesk = (db: Database): Desk => ({
  async list(filter, part) {
    const cases = (await selectCases(db, filter, part)).map(toEntry)
    const isAll = part.offset === 0 && cases.length < part.size
    return { cases, total: isAll ? cases.length : await countCases(db, filter) }
  },
  async read(id) {
    const row = await selectCase(db, parseCaseNumber(id)).executeTakeFirst()
    return row && toDetail(row)
  },
  async create({ plan, recordType, contactEmail, contactId, ...rest }) {
    const row = await insertCase(db, {
      ...rest,
      contact_email: contactEmail,
      contact_id: contactId,
      action_plan: plan,
      record_type_id: recordType?.id ?? null,
      record_type_name: recordType?.developerName ?? null,
    })
    return toEntry(row)
  },
  async change(id, getChanges) {
    // Locks the case, so that two follow-ups come one after the other.
    const row = await selectCase(db, parseCaseNumber(id)).forUpdate().executeTakeFirst()
    if (!row) return undefined
    const { plan, ...changes } = await getChanges(toDetail(row))
    const changed = await updateCase(db, row.id, { ...changes, ...(plan !== undefined && { action_plan: plan }) })
    return changed && toDetail(changed)
  },
  remove: (id) => deleteCase(db, parseCaseNumber(id)),
  contacts: async (email) => (await selectVerifiedPeople(db, email, mostContacts)).map((one) => ({ id: one.id, contactEmail: one.email })),
  write: (work) => work(),
})

/** Returns 0, which no case has, where the id is no case number. */
const parseCaseNumber = (id: string): number => (/^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0)

const toEntry = (row: Pick<Selectable<SupportCase>, 'id' | 'contact_email' | 'status' | 'created_at' | 'subject'>): CaseEntry => ({
  attributes: caseAttributes(String(row.id)),
  id: String(row.id),
  contactEmail: row.contact_email,
  status: row.status,
  createdDate: row.created_at.toISOString(),
  subject: row.subject,
})

const toDetail = (row: Selectable<SupportCase>): CaseDetail => ({
  status: row.status,
  contactEmail: row.contact_email,
  subject: row.subject,
  description: row.description,
  reason: row.reason,
  action_Plan__c: row.action_plan,
  priority: row.priority,
  origin: row.origin,
  model__c: row.model,
  contactId: row.contact_id,
})
