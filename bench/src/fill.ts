// node bench/src/fill.ts ORGANIZATION READERS ZONES: fills an organization of the database at DATABASE_URL with readers and zones whose names
// are hard to show, and gives everything else of it that people name such names.
import pg from 'pg'
import { createFleet } from './fleet.ts'
import { lengthenNames, longNames } from './long-names.ts'

const [organization = '', readers, zones] = process.argv.slice(2)
const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
await client.connect()
await client.query('begin')
await createFleet(client, Number(readers), { organization, zones: Number(zones), names: longNames })
await lengthenNames(client, organization)
await client.query('commit')
await client.query('analyze')
await client.end()
console.log('Filled')
