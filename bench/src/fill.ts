// node bench/src/fill.ts ORGANIZATION READERS ZONES [plain]: fills an organization of the database at DATABASE_URL with readers and zones,
// and renames everything else in it, with names that are hard to show. With `plain`, names are ordinary.
import pg from 'pg'
import { createFleet, type FleetNames } from './fleet.ts'

/** Names that people may give and that are hard to show: wide, without blanks, from right to left, markup; and ordinary ones in between. */
const hardNames = [
  'W'.repeat(230),
  '漢字'.repeat(115),
  'وحدة العناية المركزة في الطابق الثالث من المستشفى الإقليمي الشمالي '.repeat(3),
  '\u202eמחלקת טיפול נמרץ',
  `<b onmouseover="alert(1)">Ward</b><script>alert('zone')</script>&amp;${'<i>'.repeat(20)}`,
  'no_blanks_at_all.'.repeat(13),
  'Cardiology and intensive care, tower B, third floor, north wing, rooms 301 to 348, night shift and weekends',
  '👩‍👩‍👧‍👦'.repeat(12),
  'ICU 3 North',
]

/** Ends with the number, so that no two are equal. */
const named = (prefix: string) =>
  `'${prefix}' || (array[${hardNames.map((name) => `'${name.replaceAll("'", "''")}'`).join()}])[1 + n % ${hardNames.length}] || ' ' || n`

const longNames: FleetNames = { zone: named(''), host: `left(${named('PC-')}, 255)`, configuration: `left(${named('CFG ')}, 255)` }

/** Renames everything else that people name in an organization. The columns' own limits hold. */
async function lengthenNames(client: pg.Client, publicId: string): Promise<void> {
  const { rows } = await client.query<{ id: number }>('select id from organization where public_id = $1', [publicId])
  const organization = rows[0]!.id
  const rename = (table: string, column: string, where = 'organization_id = $1', limit = 255) =>
    client.query(
      `with numbered as (select ctid as place, (row_number() over (order by ctid))::int as n from ${table} where ${where})
       update ${table} set ${column} = left(${named('')}, ${limit}) from numbered where ${table}.ctid = numbered.place`,
      where.includes('$1') ? [organization] : [],
    )
  await rename('"group"', 'name')
  await rename('saved_configuration', 'name', undefined, 100)
  await rename('publication', 'zone_name')
  await rename('support_case', 'subject', 'true')
  await rename('licence', 'purchase_order_number', undefined, 60)
  await rename('firmware_release', 'notes', 'true', 1_000)
  await rename('"user"', 'last_name', 'true', 100)
  await rename('organization', 'name', 'true', 250)
  // Entries of the audit log are never changed.
  await client.query(
    `insert into audit_entry (id, organization_id, initiator_id, initiator_name, initiator_email, change_type, zone_name, config_name, device_serial, version, target, new_value)
     select gen_random_uuid(), organization_id, initiator_id, left(${named('')}, 200), initiator_email, change_type, zone_name || ${named('')},
       config_name || ${named('')}, device_serial, version, target, new_value
     from (select *, (row_number() over (order by in_effect_since desc))::int as n from audit_entry where organization_id = $1) entry where n <= 40`,
    [organization],
  )
  await client.query(
    `update zone set note = note || repeat('The host PC is behind the door and must stay on. ', 8) where organization_id = $1`,
    [organization],
  )
}

const [organization = '', readers, zones, kind] = process.argv.slice(2)
const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
await client.connect()
await client.query('begin')
await createFleet(client, Number(readers), { organization, zones: Number(zones), ...(kind === 'plain' ? {} : { names: longNames }) })
if (kind !== 'plain') await lengthenNames(client, organization)
await client.query('commit')
await client.query('analyze')
await client.end()
console.log('Filled')
