import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { type Prepare, startStack } from '../processes/stack.ts'
import { stackForFile } from './stack-for-file.ts'

export const staff = 'staff@quietzone.example'
export const list = '/admin/organizations'
export const groupDetailsPath = (organizationId: string, groupId: number | string) =>
  `${list}/${organizationId}/groups/id/${groupId}/details`

/** Starts the product for a test file of the staff's screens. */
export async function staffScreens(env: Record<string, string> = {}) {
  const { stack, pages } = await stackForFile(startStack({ env }))
  const api = await stack.api(staff)
  const id = async (text: string, values: unknown[]) => (await stack.sql<{ id: number }>(text, values))[0]?.id ?? 0
  return {
    api,
    sql: (text: string, values: unknown[] = []) => stack.sql(text, values),
    open: (path: string, account = staff, prepare?: Prepare): Promise<Page> => pages.open(path, account, prepare),
    /** A new organization; answers its id. */
    async organization(name: string | null, key: string = randomUUID()): Promise<string> {
      // A test that is repeated finds what it made before.
      await stack.sql('delete from organization where public_id = $1 or lower(name) = lower($2)', [key, name || null])
      await stack.sql('insert into organization (public_id, name) values ($1, $2)', [key, name])
      return key
    },
    /** A new group with so many members and these products; answers its id. */
    async group(organizationId: string, name: string, { members = 0, products = [] as number[] } = {}): Promise<number> {
      const group = await id(
        'insert into "group" (organization_id, name) select id, $2 from organization where public_id = $1 returning id',
        [organizationId, name],
      )
      await stack.sql(
        `with person as (
           insert into "user" (id, issuer, subject, email, first_name, last_name)
           select gen_random_uuid(), 'test', gen_random_uuid(), 'm' || n || '-' || $2::text || '@members.example', 'First' || n, 'Last' || n
             from generate_series(1, $3::integer) as n
           returning id, first_name)
         insert into member (organization_id, group_id, user_id, joined_at)
         select (select id from organization where public_id = $1), $2::integer, id, now() + row_number() over (order by first_name) * interval '1 second' from person`,
        [organizationId, group, members],
      )
      for (const product of products)
        await stack.sql(
          'insert into group_product (organization_id, group_id, product_id) select id, $2, $3 from organization where public_id = $1',
          [organizationId, group, product],
        )
      return group
    },
  }
}

/** The section of an organization in the directory. */
export const findSection = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
