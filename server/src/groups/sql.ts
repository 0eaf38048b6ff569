import { type NotNull, type SqlBool, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { bigints, json } from '../lib/database/rows.ts'
import type { OrganizationScope } from '../lib/http/caller.ts'

const groupsWithProducts = (db: Database) =>
  db
    .selectFrom('group')
    .innerJoin('organization', 'organization.id', 'group.organization_id')
    .select(['group.id', 'group.name', 'group.organization_id', 'organization.name as organization_name'])
    .select((eb) =>
      eb
        .selectFrom('group_product')
        .select(bigints(sql`coalesce(array_agg(product_id order by product_id), '{}')`).as('ids'))
        .whereRef('group_product.organization_id', '=', 'group.organization_id')
        .whereRef('group_product.group_id', '=', 'group.id')
        .as('products'),
    )
    .$narrowType<{ products: NotNull }>()

const groupsWithMembers = (db: Database) =>
  groupsWithProducts(db)
    .select((eb) =>
      eb
        .selectFrom('member')
        .innerJoin('user', 'user.id', 'member.user_id')
        .select(
          json<{ firstName: string; lastName: string; email: string }[]>(sql`coalesce(json_agg(json_build_object(
            'firstName', coalesce(first_name, ''), 'lastName', coalesce(last_name, ''), 'email', email) order by joined_at, user_id), '[]')`).as(
            'people',
          ),
        )
        .whereRef('member.organization_id', '=', 'group.organization_id')
        .whereRef('member.group_id', '=', 'group.id')
        .as('people'),
    )
    .$narrowType<{ people: NotNull }>()

const isOfAny = (organizations: OrganizationScope) => sql<SqlBool>`"group".organization_id = any(${organizations})`

export type GroupRow = Awaited<ReturnType<typeof selectGroupsByOrganization>>[number]

export const selectGroupsByOrganization = (db: Database, organizationIds: readonly number[]) =>
  groupsWithMembers(db).where(isOfAny(organizationIds)).orderBy('group.id').execute()

// With the number of its members, not who they are.
export const selectCountedGroups = (db: Database, organizationId: number) =>
  groupsWithProducts(db).select('group.member_count').where('group.organization_id', '=', organizationId).orderBy('group.id').execute()

export const selectGroup = (db: Database, id: number, scope: OrganizationScope) =>
  groupsWithMembers(db)
    .where('group.id', '=', id)
    .$if(scope !== 'all', (query) => query.where(isOfAny(scope)))
    .executeTakeFirst()

export const selectGroupOfPerson = (db: Database, userId: string, organizationId: number) =>
  groupsWithProducts(db)
    .innerJoin('member as own', (join) =>
      join.onRef('own.organization_id', '=', 'group.organization_id').onRef('own.group_id', '=', 'group.id'),
    )
    .where('own.user_id', '=', userId)
    .where('own.organization_id', '=', organizationId)
    .executeTakeFirst()

export const selectGroupIds = (db: Database, organizationId: number) =>
  db.selectFrom('group').select('id').where('organization_id', '=', organizationId).execute()

export const selectMemberships = (db: Database, userId: string) =>
  db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organization_id')
    .select(['organization.id', 'organization.public_id as publicId'])
    .where('user_id', '=', userId)
    .orderBy('joined_at')
    .orderBy('public_id')
    .execute()

export const lockGroups = (db: Database, organizationId: number) =>
  db.selectFrom('organization').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()

export const lockPerson = (db: Database, userId: string) =>
  db.selectFrom('user').select('id').where('id', '=', userId).forNoKeyUpdate().execute()

export const insertGroup = (db: Database, organizationId: number, name: string, createdBy: string) =>
  db.insertInto('group').values({ organization_id: organizationId, name, created_by: createdBy }).returning('id').executeTakeFirstOrThrow()

export const updateGroupName = (db: Database, organizationId: number, id: number, name: string) =>
  db.updateTable('group').set({ name }).where('organization_id', '=', organizationId).where('id', '=', id).execute()

export const deleteGroup = (db: Database, organizationId: number, id: number) =>
  db.deleteFrom('group').where('organization_id', '=', organizationId).where('id', '=', id).execute()

export const updateGroup = (db: Database, organizationId: number, userId: string, groupId: number) =>
  db.updateTable('member').set({ group_id: groupId }).where('organization_id', '=', organizationId).where('user_id', '=', userId).execute()

export const moveMembers = (db: Database, from: number, to: number, organizationId: number) =>
  db.updateTable('member').set({ group_id: to }).where('organization_id', '=', organizationId).where('group_id', '=', from).execute()

export const insertGroupProducts = (db: Database, group: { organization_id: number; group_id: number }, productIds: readonly number[]) =>
  db
    .insertInto('group_product')
    .columns(['organization_id', 'group_id', 'product_id'])
    .expression(sql`select ${group.organization_id}, ${group.group_id}, * from unnest(${productIds}::integer[])` as never)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const deleteOtherGroupProducts = (
  db: Database,
  group: { organization_id: number; group_id: number },
  productIds: readonly number[],
) =>
  db
    .deleteFrom('group_product')
    .where('organization_id', '=', group.organization_id)
    .where('group_id', '=', group.group_id)
    .where(sql<SqlBool>`product_id <> all(${productIds})`)
    .execute()
