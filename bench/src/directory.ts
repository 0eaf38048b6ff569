import type pg from 'pg'
import { judge, measure, printHeading } from './measure.ts'
import type { Portal } from './stand.ts'

const organizations = Number(process.env.ORGANIZATIONS ?? 5_000)
const pageSize = 10
const allowedRows = 200
const path = '/api/lectern/admin/organizations'

/** The administration's list of all organizations: its first page, searches and pages far in. */
export async function benchDirectory(portal: Portal): Promise<void> {
  const { client } = portal
  process.stdout.write(`filling ${organizations} organizations with four groups and twelve members each\n`)
  await fillDirectory(client)
  printHeading(`pages of ${pageSize} organizations`)
  const page = (label: string, query: string) => measure(portal, label, `${path}?PageSize=${pageSize}&${query}`)
  const first = await page('first page', 'PageNumber=0')
  await measure(portal, 'totals', `${path}/totals`)
  await page('search "lakeside", which finds many', 'textFilter=lakeside')
  await page('search "lakeside 0122", which finds one', 'textFilter=lakeside%200122')
  await page('search "123"', 'textFilter=123')
  await page('search "z", which finds nothing', 'textFilter=z')
  await page('search "a", which finds nearly all', 'textFilter=a')
  await page('page in the middle', `PageNumber=${Math.floor(organizations / pageSize / 2)}`)
  await page('last page', `PageNumber=${Math.ceil(organizations / pageSize) - 1}`)
  judge('rows of the first page', first.rows, allowedRows)
}

/** Most organizations have few groups; some have up to thirty, and those come first. */
async function fillDirectory(client: pg.Client): Promise<void> {
  await client.query(
    `insert into organization (id, name)
     select gen_random_uuid(), case when n <= $1 / 50 then 'Alpha ' else '' end
       || (array['Mercy', 'Harbor', 'Lakeside', 'Northern', 'Saint Mary', 'Riverbend', 'Grove', 'Union'])[1 + n % 8] || ' ' || lpad(n::text, 4, '0')
       || (array[' Health', ' Clinics', ' Logistics', ' Pharmacy'])[1 + n % 4]
     from generate_series(1, $1::int) n`,
    [organizations],
  )
  await client.query(
    `insert into "group" (organization_id, name)
     select id, 'Ward ' || n from organization, generate_series(1, case when name like 'Alpha %' then 30 when company_id % 2 = 0 then 4 else 3 end) n
     order by n, id`,
  )
  await client.query(
    `insert into "user" (id, issuer, subject, email, first_name, last_name)
     select gen_random_uuid(), 'bench', n::text, n || '@people.example', 'First', 'Last' from generate_series(1, $1::int * 12) n`,
    [organizations],
  )
  await client.query('analyze')
  // Groups are numbered from 1 without a gap, as nothing else has made any.
  await client.query(
    `insert into member (organization_id, user_id, group_id)
     select g.organization_id, u.id, g.id
     from (select id, 1 + subject::int % (select max(id) from "group") as number from "user" where issuer = 'bench') u join "group" g on g.id = u.number`,
  )
  const { rows } = await client.query('select organizations, groups, members from directory_count')
  process.stdout.write(`${JSON.stringify(rows[0])}\n`)
  await client.query('vacuum analyze')
}
