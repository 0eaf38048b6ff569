import { createHash, randomBytes } from 'node:crypto'
import {
  type Invitation,
  type InvitationInput,
  type InvitationPage,
  type InvitationQuery,
  invitationDays,
  type SentInvitation,
} from '@lectern/contract/people/people.ts'
import type { BuiltInRole } from '@lectern/contract/people/roles.ts'
import { uuidv7 } from 'uuidv7'
import { recordChange } from '../audit/audit.ts'
import { cleanAddress } from '../lib/address.ts'
import { type Database, sqlState, uniqueViolation } from '../lib/database/database.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import type { Services } from '../lib/http/serve.ts'
import { checkInvitation } from '../quotas/quotas.ts'
import { listPermissions, lockPeople, type PeopleCall, refuseGranting } from './grants.ts'
import {
  countInvitations,
  deleteExpiredInvitation,
  deleteOldInvitations,
  type InvitationRow,
  insertInvitation,
  selectInvitation,
  selectInvitations,
  updateRevoked,
  updateSecret,
  updateSent,
} from './invitations-sql.ts'
import { getChosenRole, toNamedRole } from './roles.ts'
import { selectGroupName, selectMembersByEmail } from './sql.ts'

/** `outside`: the database beside the call's transaction, for what happens after it. */
export interface InvitationCall extends PeopleCall, Pick<Services, 'settings' | 'sendMail'> {
  outside: Database
  afterCommit(work: () => Promise<void>): void
}

const mostOpen = 5_000

const toInvitation = (row: InvitationRow): Invitation => ({
  invitationId: row.id,
  email: row.email,
  role: toNamedRole(row)!,
  group: { gid: row.group_id, name: row.group_name },
  invitedBy: row.invited_by,
  sentAt: row.sent_at?.toISOString() ?? null,
  expiresAt: row.expires_at.toISOString(),
  isExpired: row.is_expired,
})

export async function listInvitations(db: Database, organizationId: number, query: InvitationQuery): Promise<InvitationPage> {
  const { PageNumber: pageNumber, PageSize: pageSize, textFilter } = query
  const rows = await selectInvitations(db, organizationId, textFilter, { offset: pageNumber * pageSize, size: pageSize })
  const { amount } = await countInvitations(db, organizationId, textFilter)
  return { invitationList: rows.map(toInvitation), pageNumber, pageSize, totalCount: amount }
}

export async function invite(call: InvitationCall, { email: given, roleId, groupId }: InvitationInput): Promise<SentInvitation> {
  const { db, actor, organizationId } = call
  const email = cleanAddress(given)
  const holder = await lockPeople(call)
  const role = await getChosenRole(db, organizationId, roleId)
  refuseGranting(holder, role.permissions)
  await getChosenGroup(db, organizationId, groupId)
  if ((await selectMembersByEmail(db, organizationId, email)).length > 0) throw refusedAddress(`${email} is a member already.`)
  await deleteExpiredInvitation(db, organizationId, email)
  await deleteOldInvitations(db, organizationId)
  if ((await countInvitations(db, organizationId, '')).amount >= mostOpen)
    throw new Problem(409, `An organization may have at most ${mostOpen} open invitations. Revoke some of them.`)
  const { secret, secret_hash } = newSecret()
  const invitation = {
    organization_id: organizationId,
    id: uuidv7(),
    email,
    group_id: groupId,
    secret_hash,
    invited_by: actor.caller.userId,
  }
  await insertInvitation(db, { ...invitation, ...role.key }, invitationDays).catch((error: unknown) => {
    throw sqlState(error) === uniqueViolation ? refusedAddress(`${email} is invited already. Send that invitation again.`) : error
  })
  await recordChange(db, actor, { organization_id: organizationId, change_type: 'createInvitation', target: email, new_value: role.name })
  return send(call, { ...invitation, secret, organizationName: holder.organizationName })
}

export async function resendInvitation(call: InvitationCall, id: string): Promise<SentInvitation> {
  const { db, actor, organizationId } = call
  const holder = await lockPeople(call)
  const row = await getOpen(db, organizationId, id)
  refuseGranting(holder, listPermissions({ built_in_role: row.built_in_role as BuiltInRole | null, permissions: row.permissions }))
  const { secret, secret_hash } = newSecret()
  const invitation = {
    organization_id: organizationId,
    id,
    email: row.email,
    group_id: row.group_id,
    secret_hash,
    invited_by: actor.caller.userId,
  }
  await updateSecret(db, invitation, invitationDays)
  const change = { change_type: 'resendInvitation', target: row.email, new_value: toNamedRole(row)!.name } as const
  await recordChange(db, actor, { organization_id: organizationId, ...change })
  return send(call, { ...invitation, secret, organizationName: holder.organizationName })
}

export async function revokeInvitation(call: PeopleCall, id: string): Promise<void> {
  const { db, actor, organizationId } = call
  await lockPeople(call)
  const { email } = await getOpen(db, organizationId, id)
  await updateRevoked(db, organizationId, id)
  await recordChange(db, actor, { organization_id: organizationId, change_type: 'revokeInvitation', target: email })
}

async function getOpen(db: Database, organizationId: number, id: string): Promise<InvitationRow> {
  const row = await selectInvitation(db, organizationId, id)
  if (!row) throw notFound('open invitation')
  return row
}

/** Throws a Problem 400 where the organization does not have the group. */
export async function getChosenGroup(db: Database, organizationId: number, groupId: number): Promise<string> {
  const group = await selectGroupName(db, organizationId, groupId)
  if (group) return group.name
  const message = 'There is no such group.'
  throw new Problem(400, message, { errors: [{ field: 'groupId', message }] })
}

const refusedAddress = (message: string) => new Problem(409, message, { errors: [{ field: 'email', message }] })

// The secret in the link; only its hash is stored.
function newSecret(): { secret: string; secret_hash: string } {
  const secret = randomBytes(32).toString('base64url')
  return { secret, secret_hash: hashSecret(secret) }
}

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

interface Sent {
  organization_id: number
  id: string
  email: string
  group_id: number
  secret: string
  secret_hash: string
  organizationName: string | null
}

// The mail is sent once the invitation is committed.
async function send(call: InvitationCall, sent: Sent): Promise<SentInvitation> {
  const { db, outside, actor, settings, sendMail, organizationId } = call
  await checkInvitation(db, organizationId, sent.email)
  const row = await getOpen(db, organizationId, sent.id)
  const link = `${settings.publicUrl}/join/${sent.group_id}?invitation=${sent.secret}`
  const organization = sent.organizationName || 'an organization'
  const text = [
    `${row.invited_by ?? actor.caller.email} (${actor.caller.email}) invites you to ${organization} on Lectern, as ${toNamedRole(row)!.name}.`,
    'Open this link, and sign in or create an account with this e-mail address:',
    link,
    `The link is valid for ${invitationDays} days and works once, for ${sent.email} only. If you do not expect it, ignore this message.`,
    `Lectern, ${settings.providerName}\n`,
  ].join('\n\n')
  const message = { to: sent.email, subject: `Invitation to ${organization} on Lectern`, text }
  call.afterCommit(async () => {
    if (await sendMail(message, invitationDays * 24 * 3_600)) await updateSent(outside, sent)
  })
  return { ...toInvitation(row), link: settings.smtpUrl ? null : link }
}
