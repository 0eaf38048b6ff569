import {
  type CaseContact,
  type CaseDetail,
  type CaseEntry,
  type CaseList,
  type CreateCase,
  caseLimits,
  customersStatuses,
  type UpdateCase,
  wholeCases,
} from '@lectern/contract/cases/cases.ts'
import { withFollowUp, withoutHeads } from '@lectern/contract/cases/follow-ups.ts'
import { pageSizes } from '@lectern/contract/http/paging.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import type { Database } from '../lib/database/database.ts'
import { isStaff, type Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import type { Services } from '../lib/http/serve.ts'
import { databaseDesk } from './database.ts'
import type { CaseFilter, Desk } from './desk.ts'
import { deskProblem } from './desk-problem.ts'
import { salesforceDesk } from './salesforce.ts'
import { lockCase } from './sql.ts'

/** The desk that the settings name. What goes wrong there is said in sentences. */
export function getDesk({ salesforce, settings }: Pick<Services, 'salesforce' | 'settings'>, db: Database): Desk {
  const desk = salesforce ? salesforceDesk(salesforce, (id) => lockCase(db, id)) : databaseDesk(db)
  const said = (error: unknown): never => {
    throw deskProblem(error, settings.supportPhone)
  }
  return {
    list: (...which) => desk.list(...which).catch(said),
    read: (id) => desk.read(id).catch(said),
    contacts: (email) => desk.contacts(email).catch(said),
    create: (what) => desk.create(what).catch(said),
    change: (...what) => desk.change(...what).catch(said),
    remove: (id) => desk.remove(id).catch(said),
    writing: (work) => desk.writing(work).catch(said),
  }
}

const same = (one: string | null, other: string): boolean => one?.toLowerCase() === other.toLowerCase()

/** The address that opens a person's cases. Throws a Problem 403 where nobody has shown that it is theirs (decided). */
function ownAddress({ email, emailVerified }: Person): string {
  if (!emailVerified)
    throw new Problem(
      403,
      'Your e-mail address is not verified, so it opens no support cases. Open the link in the mail that you were sent.',
    )
  return email
}

interface Asked {
  PageNumber?: number | undefined
  PageSize?: number | undefined
}

/** Cases that a filter shows: whole, or a page where one is asked for. */
export async function listCases(desk: Pick<Desk, 'list'>, filter: CaseFilter, { PageNumber, PageSize }: Asked): Promise<CaseList> {
  const isWhole = PageNumber === undefined && PageSize === undefined
  const [pageNumber, pageSize] = isWhole ? [0, wholeCases] : [PageNumber ?? 0, PageSize ?? pageSizes[0]]
  const { cases, total, outOf = total } = await desk.list(filter, { offset: pageNumber * pageSize, size: pageSize })
  const shown = isWhole ? cases.length : total
  const message =
    outOf > shown ? `These are the newest ${formatNumber(shown)} of ${formatNumber(outOf)} cases. Search to find older ones.` : ''
  return { success: true, status: 200, message, listCase: cases, ...(!isWhole && { pageNumber, pageSize, totalCount: total }) }
}

/** The cases of an address. Somebody else's has none, as one that nobody has. */
export async function listContactCases(
  desk: Desk,
  caller: Person,
  filter: CaseFilter & { contactEmail: string },
  asked: Asked,
): Promise<CaseList> {
  const mayRead = isStaff(caller) || same(ownAddress(caller), filter.contactEmail)
  return listCases(mayRead ? desk : { list: async () => ({ cases: [], total: 0 }) }, filter, asked)
}

/** A case that the caller may see. Throws a Problem 404 for others' as for those that there are not. */
export async function findCase(desk: Desk, caller: Person, id: string): Promise<CaseDetail> {
  const own = isStaff(caller) ? undefined : ownAddress(caller)
  const found = await desk.read(id)
  if (!found || (own !== undefined && !same(found.contactEmail, own))) throw notFound('case')
  return found
}

/** Whom the desk knows by an address; of strangers nothing is said. */
export async function listContacts(desk: Desk, caller: Person, address: string): Promise<CaseContact[]> {
  const mayAsk = isStaff(caller) || (caller.emailVerified && same(caller.email, address))
  return mayAsk ? desk.contacts(address) : []
}

/** Opens a case. Customers open new ones of their own. */
export async function openCase(desk: Desk, caller: Person, { contactEmail, contactId, ...input }: CreateCase): Promise<CaseEntry> {
  const own = isStaff(caller) ? caller.email : ownAddress(caller)
  const address = contactEmail ?? own
  if (!isStaff(caller)) {
    if (!same(address, own)) throw refused('contactEmail', 'must be your own address')
    if (input.status !== 'New') throw refused('status', 'must be New')
  }
  const contacts = await desk.contacts(address)
  if (contactId && !contacts.some(({ id }) => id === contactId)) throw refused('contactId', 'is no contact of this address')
  const described = { ...input, description: withoutHeads(input.description.trim()), contactEmail: address }
  return desk.create({ ...described, contactId: contactId || (contacts[0]?.id ?? null) })
}

/** Changes a case, or adds a follow-up. Customers close and reopen; staff say anything of a status. */
export async function changeCase(
  desk: Desk,
  caller: Person,
  { id, followUp, ...changes }: UpdateCase,
  unchanged: (before: CaseDetail) => Promise<void>,
): Promise<CaseDetail> {
  if (followUp === undefined && Object.values(changes).every((value) => value === undefined))
    throw new Problem(400, 'Say what is to change.')
  const { status, description } = changes
  if (status !== undefined && !isStaff(caller) && !customersStatuses.includes(status))
    throw refused('status', `must be one of ${customersStatuses.join(', ')}`)
  await findCase(desk, caller, id)
  const clean = { ...changes, ...(description !== undefined && { description: withoutHeads(description.trim()) }) }
  const changed = await desk.change(id, async (before) => {
    await unchanged(before)
    if (followUp === undefined) return clean
    return { ...clean, description: followed(clean.description ?? before.description, caller.email, followUp) }
  })
  if (!changed) throw notFound('case')
  return changed
}

function followed(description: string, by: string, text: string): string {
  const next = withFollowUp(description, { at: new Date(), by, text })
  if (next.length > caseLimits.description) throw refused('followUp', 'does not fit into this case any more. Open another one.')
  return next
}

/** The names of what an update says, for the audit log: which parts, not what they are. */
export const listChangedParts = ({ id: _, ...changes }: UpdateCase): string =>
  Object.entries(changes)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => (name === 'followUp' ? 'follow-up' : name))
    .join(', ')

/** Deletes a case that the caller may see. */
export async function removeCase(desk: Desk, caller: Person, id: string): Promise<void> {
  await findCase(desk, caller, id)
  if (!(await desk.remove(id))) throw notFound('case')
}

const refused = (field: string, message: string): Problem => new Problem(400, `${field} ${message}`, { errors: [{ field, message }] })
