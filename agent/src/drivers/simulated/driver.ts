import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { Agent, type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'
import { simulatedDriver } from '@lectern/contract/hosts.ts'
import { sentence } from '../../sentence.ts'
import { pause } from '../../wakeup.ts'
import { type Driver, Reader, type ReaderContent, ReaderRefusal, ReaderUnreachable } from '../driver.ts'
import type { Announced } from './reader.ts'
import { type FleetOptions, readersSocket } from './readers-socket.ts'

interface Answer {
  status: number
  body: unknown
}

/** The readers' process outlives the agent and keeps its state in `folder`. */
export async function startSimulatedDriver(folder: string, options: FleetOptions, signal: AbortSignal): Promise<Driver> {
  const socketPath = readersSocket(folder)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  await startReaders(folder, options, signal)

  async function ask(method: 'GET' | 'PUT', path: string, parts: { signal: AbortSignal; headers?: Record<string, string>; body?: Upload }) {
    const { body, status } = await speak(
      request({ socketPath, agent, method, path, headers: parts.headers ?? {}, signal: parts.signal }),
      parts.body,
    )
    if (status === 200) return body
    const reason = (body as { reason?: string } | null)?.reason ?? `The reader responds with ${status}.`
    throw status === 422 ? new ReaderRefusal(reason) : new ReaderUnreachable(reason)
  }

  const at = (serialNumber: string) => `/readers/${encodeURIComponent(serialNumber)}`
  return {
    name: simulatedDriver,
    async list(signal) {
      // The process may have ended since.
      const all = await ask('GET', '/readers', { signal }).catch(async (error: unknown) => {
        if (signal.aborted) throw error
        await startReaders(folder, options, signal)
        return ask('GET', '/readers', { signal })
      })
      return (all as unknown[]).map((reader) => Reader.parse(reader))
    },
    read: async (serialNumber, signal) => Reader.parse(await ask('GET', at(serialNumber), { signal })),
    async apply(serialNumber, content, signal, progress) {
      const { open: _, ...announced } = content
      const headers = {
        'x-content': encodeURIComponent(JSON.stringify(announced satisfies Announced)),
        'content-length': String(content.size),
      }
      await ask('PUT', `${at(serialNumber)}/content`, { signal, headers, body: { content, progress } })
    },
    async close() {
      agent.destroy()
    },
  }
}

interface Upload {
  content: ReaderContent
  progress?: ((bytes: number) => void) | undefined
}

const chunkSize = 16 * 1024

async function speak(outgoing: ClientRequest, upload?: Upload): Promise<Answer> {
  try {
    const answered = new Promise<Answer>((resolve, reject) => {
      outgoing.on('error', reject)
      outgoing.on('response', async (incoming) => {
        try {
          let text = ''
          for await (const chunk of incoming.setEncoding('utf8')) text += chunk
          resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) })
        } catch (error) {
          reject(error)
        }
      })
    })
    answered.catch(() => {})
    if (upload) await send(outgoing, upload, answered)
    outgoing.end()
    return await answered
  } catch (error) {
    throw new ReaderUnreachable(`The simulated readers do not answer: ${sentence(error)}`, { cause: error })
  }
}

async function send(outgoing: ClientRequest, { content, progress }: Upload, answered: Promise<Answer>): Promise<void> {
  let sent = 0
  for await (const bytes of content.open()) {
    for (let from = 0; from < bytes.length; from += chunkSize) {
      if (outgoing.destroyed) return
      const chunk = bytes.subarray(from, from + chunkSize)
      if (!outgoing.write(chunk)) await Promise.race([once(outgoing, 'drain'), answered])
      sent += chunk.length
      progress?.(sent)
    }
  }
}

async function runningReaders(folder: string): Promise<(FleetOptions & { pid: number }) | null> {
  try {
    const { body } = await speak(
      request({ socketPath: readersSocket(folder), agent: false, path: '/fleet', signal: AbortSignal.timeout(5000) }),
    )
    return body as FleetOptions & { pid: number }
  } catch {
    return null
  }
}

const isSameFleet = (a: FleetOptions, b: FleetOptions) =>
  a.readers === b.readers && a.seed === b.seed && a.applyMilliseconds === b.applyMilliseconds && a.failShare === b.failShare

async function startReaders(folder: string, options: FleetOptions, signal: AbortSignal): Promise<void> {
  const running = await runningReaders(folder)
  if (running && isSameFleet(running, options)) return
  if (running) await stopReaders(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const output = openSync(join(folder, 'process.log'), 'a', 0o600)
  const program = isSea() ? [] : [fileURLToPath(new URL('../../main.ts', import.meta.url))]
  const child = spawn(process.execPath, [...program, 'simulated-readers', folder, JSON.stringify(options)], {
    detached: true,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  child.unref()
  await until(async () => (await runningReaders(folder)) !== null, signal)
  if (!signal.aborted && !(await runningReaders(folder))) {
    throw new ReaderUnreachable(`The simulated readers do not start. See ${join(folder, 'process.log')}.`)
  }
}

/** Returns false where no process was running. The readers keep what they run. */
export async function stopReaders(folder: string): Promise<boolean> {
  const running = await runningReaders(folder)
  if (!running) return false
  await speak(request({ socketPath: readersSocket(folder), agent: false, path: '/shutdown', method: 'POST' })).catch(() => null)
  await until(async () => (await runningReaders(folder)) === null, AbortSignal.timeout(10_000))
  return true
}

export type ManualChange = 'scan' | 'reset' | 'flash' | 'use' | 'put-down'

export async function changeReader(folder: string, serialNumber: string, change: ManualChange): Promise<void> {
  const path = `/readers/${encodeURIComponent(serialNumber)}/${change}`
  const { status, body } = await speak(request({ socketPath: readersSocket(folder), agent: false, path, method: 'POST' }))
  if (status !== 200) throw new ReaderUnreachable((body as { reason?: string }).reason ?? `The reader responds with ${status}.`)
}

async function until(condition: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const limit = Date.now() + 20_000
  while (!signal.aborted && Date.now() < limit && !(await condition())) await pause(25, signal)
}
