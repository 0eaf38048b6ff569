import {
  type CaseContact,
  type CaseDetail,
  type CaseEntry,
  type CaseList,
  type CreateCase,
  customersStatuses,
  longestDescription,
  type UpdateCase,
  wholeCases,
} from '@lectern/contract/cases/cases.ts'
import { withFollowUp, withoutHeads } from '@lectern/contract/cases/follow-ups.ts'
import { pageSizes } from '@lectern/contract/http/paging.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { cleanAddress, isSameAddress } from '../lib/address.ts'
import type { Database } from '../lib/database/database.ts'
import { isStaff, type Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import type { Services } from '../lib/http/serve.ts'
import { databaseDesk } from './database.ts'
import type { CaseFilter, Desk } from './desk.ts'
import { salesforceDesk, toProblem } from './salesforce.ts'
import { lockCase } from './sql.ts'

/** Returns Salesforce where the settings name it, else the database. Faults of Salesforce become Problems. */
export function getDesk({ salesforce, settings }: Pick<Services, 'salesforce' | 'settings'>, db: Database): Desk {
  const desk = salesforce ? salesforceDesk(salesforce, (id) => lockCase(db, id)) : databaseDesk(db)
  const fail = (error: unknown): never => {
    throw toProblem(error, settings.supportPhone)
  }
  return {
    list: (...args) => desk.list(...args).catch(fail),
    read: (id) => desk.read(id).catch(fail),
    contacts: (email) => desk.contacts(email).catch(fail),
    create: (newCase) => desk.create(newCase).catch(fail),
    change: (...args) => desk.change(...args).catch(fail),
    remove: (id) => desk.remove(id).catch(fail),
    write: (work) => desk.write(work).catch(fail),
  }
}

/** Throws a Problem 403 where the person's address is not verified (decision 19). */
function getVerifiedAddress({ email, emailVerified }: Person): string {
  if (!emailVerified)
    throw new Problem(403, 'Your e-mail address is not verified. Open the link in the verification e-mail to see support cases.')
  return email
}

interface OptionalPage {
  PageNumber?: number | undefined
  PageSize?: number | undefined
}

/** Lists all cases of a filter, or a page where the query has paging. `message` says what is left out. */
export async function listCases(desk: Pick<Desk, 'list'>, filter: CaseFilter, { PageNumber, PageSize }: OptionalPage): Promise<CaseList> {
  const isWhole = PageNumber === undefined && PageSize === undefined
  const [pageNumber, pageSize] = isWhole ? [0, wholeCases] : [PageNumber ?? 0, PageSize ?? pageSizes[0]]
  const { cases, total, outOf = total } = await desk.list(filter, { offset: pageNumber * pageSize, size: pageSize })
  const shown = isWhole ? cases.length : total
  const message =
    outOf > shown ? `These are the newest ${formatNumber(shown)} of ${formatNumber(outOf)} cases. Search to find older ones.` : ''
  return { success: true, status: 200, message, listCase: cases, ...(!isWhole && { pageNumber, pageSize, totalCount: total }) }
}

/** Empty for another person's address, as for an unknown one. */
export async function listContactCases(
  desk: Desk,
  caller: Person,
  filter: CaseFilter & { contactEmail: string },
  page: OptionalPage,
): Promise<CaseList> {
  const cleanFilter = { ...filter, contactEmail: cleanAddress(filter.contactEmail) }
  if (isStaff(caller)) return listCases(desk, cleanFilter, page)
  const own = getVerifiedAddress(caller)
  const mayRead = isSameAddress(own, filter.contactEmail)
  return listCases(mayRead ? desk : { list: async () => ({ cases: [], total: 0 }) }, { ...filter, contactEmail: own }, page)
}

/** Throws a Problem 404 for another person's case, as for an unknown one. */
export async function getCase(desk: Desk, caller: Person, id: string): Promise<CaseDetail> {
  const own = isStaff(caller) ? undefined : getVerifiedAddress(caller)
  const found = await desk.read(id)
  if (!found || (own !== undefined && !isSameAddress(found.contactEmail, own))) throw notFound('case')
  return found
}

export async function listContacts(desk: Desk, caller: Person, address: string): Promise<CaseContact[]> {
  const mayAsk = isStaff(caller) || (caller.emailVerified && isSameAddress(caller.email, address))
  return mayAsk ? desk.contacts(cleanAddress(address)) : []
}

export async function openCase(desk: Desk, caller: Person, { contactEmail, contactId, ...input }: CreateCase): Promise<CaseEntry> {
  const own = isStaff(caller) ? caller.email : getVerifiedAddress(caller)
  const address = isStaff(caller) ? cleanAddress(contactEmail ?? own) : own
  if (!isStaff(caller)) {
    if (!isSameAddress(contactEmail ?? own, own)) throw refused('contactEmail', 'must be your own address')
    if (input.status !== 'New') throw refused('status', 'must be New')
  }
  const contacts = await desk.contacts(address)
  if (contactId && !contacts.some(({ id }) => id === contactId)) throw refused('contactId', 'is not a contact of this address')
  const described = { ...input, description: withoutHeads(input.description.trim()), contactEmail: address }
  return desk.create({ ...described, contactId: contactId || (contacts[0]?.id ?? null) })
}

export async function changeCase(
  desk: Desk,
  caller: Person,
  { id, followUp, ...changes }: UpdateCase,
  unchanged: (before: CaseDetail) => Promise<void>,
): Promise<CaseDetail> {
  if (followUp === undefined && Object.values(changes).every((value) => value === undefined))
    throw new Problem(400, 'Name at least one change.')
  const { status, description } = changes
  if (status !== undefined && !isStaff(caller) && !customersStatuses.includes(status))
    throw refused('status', `must be one of ${customersStatuses.join(', ')}`)
  await getCase(desk, caller, id)
  const clean = { ...changes, ...(description !== undefined && { description: withoutHeads(description.trim()) }) }
  const changed = await desk.change(id, async (before) => {
    await unchanged(before)
    if (followUp === undefined) return clean
    return { ...clean, description: addFollowUp(clean.description ?? before.description, caller.email, followUp) }
  })
  if (!changed) throw notFound('case')
  return changed
}

function addFollowUp(description: string, by: string, text: string): string {
  const next = withFollowUp(description, { at: new Date(), by, text })
  if (next.length > longestDescription) throw refused('followUp', 'is too long for this case. Open another case.')
  return next
}

export const listChangedParts = ({ id: _, ...changes }: UpdateCase): string =>
  Object.entries(changes)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => (name === 'followUp' ? 'follow-up' : name))
    .join(', ')

export async function removeCase(desk: Desk, caller: Person, id: string): Promise<void> {
  await getCase(desk, caller, id)
  if (!(await desk.remove(id))) throw notFound('case')
}

const refused = (field: string, message: string): Problem => new Problem(400, `${field} ${message}`, { errors: [{ field, message }] })
