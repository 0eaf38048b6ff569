import { sql } from 'kysely'
import type { Database } from '../lib/database.ts'

export const selectOrganization = (db: Database, id: string) =>
  db.selectFrom('organization').select(['id', 'name', 'has_epic_data']).where('id', '=', id).executeTakeFirst()

/** Groups of an organization with product ids and members, oldest first. */
export const selectGroups = (db: Database, organizationId: string) =>
  db
    .selectFrom('group')
    .select(['id', 'name'])
    .select((eb) => [
      eb
        .selectFrom('group_product')
        .select(sql<number[]>`coalesce(array_agg(product_id order by product_id), '{}')`.as('ids'))
        .whereRef('group_product.group_id', '=', 'group.id')
        .as('products'),
      eb
        .selectFrom('member')
        .innerJoin('user', 'user.id', 'member.user_id')
        .select(
          sql<{ firstName: string; lastName: string; email: string }[]>`coalesce(json_agg(json_build_object(
            'firstName', coalesce(first_name, ''), 'lastName', coalesce(last_name, ''), 'email', email) order by joined_at), '[]')`.as(
            'people',
          ),
        )
        .whereRef('member.group_id', '=', 'group.id')
        .as('people'),
    ])
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute()
