import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The floor: holds event streams open by Node's own server alone. */
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.write('retry: 2000\n\n')
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`listening on ${(server.address() as AddressInfo).port}\n`))
