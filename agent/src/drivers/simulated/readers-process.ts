import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { ReaderRefusal } from '../driver.ts'
import { createFleet } from './fleet.ts'
import { createReaders } from './reader.ts'
import { type FleetOptions, readersSocket } from './readers-socket.ts'

/**
 * Is the readers of a folder until the process ends. A process of their own continues when the agent is killed, as real readers do.
 * @param folder what they keep is there
 */
export async function serveReaders(folder: string, options: FleetOptions): Promise<never> {
  const logs = join(folder, 'readers')
  mkdirSync(logs, { recursive: true, mode: 0o700 })
  const readers = createReaders(logs, createFleet(options.seed, options.readers, options.failShare), options.applyMilliseconds)

  let lastSpokenTo = Date.now()

  const server = createServer((incoming, answer) => {
    lastSpokenTo = Date.now()
    handle(incoming, answer).catch((error: unknown) => reply(answer, 500, { reason: String(error) }))
  })

  function reply(answer: ServerResponse, status: number, body: unknown): void {
    if (answer.destroyed || answer.headersSent) return
    answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  async function handle(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const [, root, name, part] = (incoming.url ?? '/').split('/').map(decodeURIComponent)
    if (root === 'fleet') return reply(answer, 200, { ...options, pid: process.pid })
    if (root === 'shutdown') {
      reply(answer, 200, {})
      return shutdown()
    }
    if (root !== 'readers') return reply(answer, 404, { reason: `There is nothing at ${incoming.url}.` })
    if (!name)
      return reply(
        answer,
        200,
        [...readers.values()].map((reader) => reader.state()),
      )
    const reader = readers.get(name)
    if (!reader) return reply(answer, 404, { reason: `There is no reader ${name}.` })
    if (part === 'scan' || part === 'reset' || part === 'flash') await reader.changeByHand(part)
    if (part === 'use' || part === 'put-down') reader.use(part === 'use')
    if (part !== 'content') return reply(answer, 200, await reader.settled())
    const gone = new AbortController()
    answer.on('close', () => gone.abort())
    try {
      await reader.apply({ ...JSON.parse(decodeURIComponent(String(incoming.headers['x-content']))) }, incoming, gone.signal)
      reply(answer, 200, {})
    } catch (error) {
      if (!(error instanceof ReaderRefusal)) throw error
      reply(answer, 422, { reason: error.message })
    }
  }

  function shutdown(): void {
    server.close(() => process.exit(0))
    server.closeIdleConnections()
    // An agent may hold connections open.
    setTimeout(() => process.exit(0), 500).unref()
  }

  const socket = readersSocket(folder)

  function listen(): void {
    server.listen(socket, () => {
      writeFileSync(join(folder, 'pid'), `${process.pid}\n`)
      process.stdout.write(`${new Date().toISOString()} ${readers.size} simulated readers, seed ${options.seed}, process ${process.pid}\n`)
    })
  }

  server.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    // Either another process has these readers, or a killed one left its socket.
    request({ socketPath: socket, path: '/fleet' }, () => process.exit(0))
      .on('error', () => {
        rmSync(socket, { force: true })
        listen()
      })
      .end()
  })
  listen()

  const idleSeconds = Number(process.env.LECTERN_READERS_IDLE_SECONDS ?? 0)
  if (idleSeconds > 0) {
    setInterval(() => {
      if (Date.now() - lastSpokenTo > idleSeconds * 1000) shutdown()
    }, 1000).unref()
  }
  process.on('SIGTERM', shutdown)
  return new Promise<never>(() => {})
}
