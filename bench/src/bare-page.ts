import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'

/** The floor: one prepared statement and JSON, without a signed-in user. Arguments: the database, the statement, its parameters as JSON. */
const [databaseUrl, text, values] = process.argv.slice(2) as [string, string, string]
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 })
const server = createServer(async (_request, response) => {
  const { rows } = await pool.query({ name: 'page', text, values: JSON.parse(values) })
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ deviceList: rows, pageSize: rows.length, pageNumber: 0 }))
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`listening on ${(server.address() as AddressInfo).port}\n`))
