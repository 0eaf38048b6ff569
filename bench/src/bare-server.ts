import { createReadStream, createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

/** The floor: writes a body to a file and returns the file, by Node's own streams alone. */
const file = process.argv[2] as string
const server = createServer(async (request, response) => {
  if (request.method === 'GET') return pipeline(createReadStream(file), response).catch(() => {})
  await pipeline(request, createWriteStream(file))
  response.end()
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`listening on ${(server.address() as AddressInfo).port}\n`))
