import { type SqlBool, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { personName } from '../lib/database/names.ts'
import { boolean, instant, integer } from '../lib/database/rows.ts'
import { containsPattern } from '../lib/like.ts'
import { type RoleKey, roleName, selectedPermissions } from './roles-sql.ts'

const now = instant(sql`now()`)

const open = (db: Database, organizationId: number) =>
  db
    .selectFrom('invitation')
    .innerJoin('group', (join) =>
      join.onRef('group.organization_id', '=', 'invitation.organization_id').onRef('group.id', '=', 'invitation.group_id'),
    )
    .leftJoin('role', (join) =>
      join.onRef('role.organization_id', '=', 'invitation.organization_id').onRef('role.id', '=', 'invitation.role_id'),
    )
    .leftJoin('user', 'user.id', 'invitation.invited_by')
    .where('invitation.organization_id', '=', organizationId)
    .where('invitation.accepted_at', 'is', null)
    .where('invitation.revoked_at', 'is', null)

const columns = (rows: ReturnType<typeof open>) =>
  rows
    .select(['invitation.id', 'invitation.email', 'invitation.built_in_role', 'invitation.role_id', 'role.name as role_name'])
    .select(['role.permissions', 'invitation.group_id', 'group.name as group_name', 'invitation.sent_at', 'invitation.expires_at'])
    .select([personName('user').as('invited_by'), boolean(sql`invitation.expires_at <= now()`).as('is_expired')])

const matching = (rows: ReturnType<typeof open>, textFilter: string) =>
  textFilter
    .split(/\s+/)
    .filter((word) => word !== '')
    .reduce(
      (found, word) =>
        found.where(
          sql<SqlBool>`lower(concat_ws(' ', invitation.email, "group".name, ${roleName('invitation')})) like lower(${containsPattern(word)})`,
        ),
      rows,
    )

export type InvitationRow = Awaited<ReturnType<typeof selectInvitations>>[number]

export const selectInvitations = (db: Database, organizationId: number, textFilter: string, page: { offset: number; size: number }) =>
  columns(matching(open(db, organizationId), textFilter))
    .orderBy('invitation.created_at', 'desc')
    .orderBy('invitation.id', 'desc')
    .offset(page.offset)
    .limit(page.size)
    .execute()

export const countInvitations = (db: Database, organizationId: number, textFilter: string) =>
  matching(open(db, organizationId), textFilter).select(integer(sql`count(*)`).as('amount')).executeTakeFirstOrThrow()

export const selectInvitation = (db: Database, organizationId: number, id: string) =>
  columns(open(db, organizationId)).where('invitation.id', '=', id).executeTakeFirst()

export interface NewInvitation extends RoleKey {
  organization_id: number
  id: string
  email: string
  group_id: number
  secret_hash: string
  invited_by: string
}

const inDays = (days: number) => instant(sql`now() + make_interval(days => ${days})`)

/** Throws where the address has an open invitation. */
export const insertInvitation = (db: Database, invitation: NewInvitation, days: number) =>
  db
    .insertInto('invitation')
    .values({ ...invitation, expires_at: inDays(days) })
    .execute()

// Removes an open invitation that has expired, so that a new one can be sent.
export const deleteExpiredInvitation = (db: Database, organizationId: number, email: string) =>
  db
    .deleteFrom('invitation')
    .where('organization_id', '=', organizationId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '<=', now)
    .execute()

// Removes invitations that expired more than 90 days ago.
export const deleteOldInvitations = (db: Database, organizationId: number) =>
  db
    .deleteFrom('invitation')
    .where('organization_id', '=', organizationId)
    .where('expires_at', '<', instant(sql`now() - interval '90 days'`))
    .execute()

export const updateSecret = (
  db: Database,
  { organization_id, id, secret_hash, invited_by }: Pick<NewInvitation, 'organization_id' | 'id' | 'secret_hash' | 'invited_by'>,
  days: number,
) =>
  db
    .updateTable('invitation')
    .set({ secret_hash, invited_by, sent_at: null, expires_at: inDays(days) })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()

// Changes nothing where it was sent again since.
export const updateSent = (
  db: Database,
  { organization_id, id, secret_hash }: Pick<NewInvitation, 'organization_id' | 'id' | 'secret_hash'>,
) =>
  db
    .updateTable('invitation')
    .set({ sent_at: now })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('secret_hash', '=', secret_hash)
    .execute()

export const updateRevoked = (db: Database, organizationId: number, id: string) =>
  db.updateTable('invitation').set({ revoked_at: now }).where('organization_id', '=', organizationId).where('id', '=', id).execute()

// Revokes open invitations of a person who may not invite any more.
export const revokeInvitationsBy = (db: Database, organizationId: number, userId: string) =>
  db
    .updateTable('invitation')
    .set({ revoked_at: now })
    .where('organization_id', '=', organizationId)
    .where('invited_by', '=', userId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('email')
    .execute()

// Revokes open invitations whose inviters could not give them now: their role may not invite, or has less than the role that they give.
export const revokeUngrantable = (db: Database, organizationId: number) =>
  db
    .updateTable('invitation')
    .set({ revoked_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('invitation')
        .innerJoin('member', (join) =>
          join.onRef('member.organization_id', '=', 'invitation.organization_id').onRef('member.user_id', '=', 'invitation.invited_by'),
        )
        .leftJoin('role as held', (join) =>
          join.onRef('held.organization_id', '=', 'member.organization_id').onRef('held.id', '=', 'member.role_id'),
        )
        .leftJoin('role as given', (join) =>
          join.onRef('given.organization_id', '=', 'invitation.organization_id').onRef('given.id', '=', 'invitation.role_id'),
        )
        .select('invitation.id')
        .where('invitation.organization_id', '=', organizationId)
        .where('invitation.accepted_at', 'is', null)
        .where('invitation.revoked_at', 'is', null)
        .where(
          sql<boolean>`(held.is_limited is true or not ${selectedPermissions('member', 'held')}
            @> (${selectedPermissions('invitation', 'given')} || '{manage:people}'))`,
        ),
    )
    .returning('email')
    .execute()

export const selectInvitationBySecret = (db: Database, organizationId: number, secretHash: string) =>
  db
    .selectFrom('invitation')
    .select(['id', 'email', 'built_in_role', 'role_id', 'group_id', 'accepted_by', 'revoked_at'])
    .select(boolean(sql`expires_at <= now()`).as('is_expired'))
    .where('organization_id', '=', organizationId)
    .where('secret_hash', '=', secretHash)
    .forUpdate()
    .executeTakeFirst()

export const updateAccepted = (db: Database, organizationId: number, id: string, userId: string) =>
  db
    .updateTable('invitation')
    .set({ accepted_at: now, accepted_by: userId })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()

// Links name the old group, so these invitations have to be sent again.
export const moveInvitations = (db: Database, organizationId: number, from: number, to: number) =>
  db
    .updateTable('invitation')
    .set({ group_id: to, sent_at: null })
    .where('organization_id', '=', organizationId)
    .where('group_id', '=', from)
    .execute()
