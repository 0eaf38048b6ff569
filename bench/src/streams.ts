import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { enroll } from './hosts.ts'
import { judge } from './measure.ts'
import type { Portal } from './portal.ts'
import { endProgram, pickPort, startProgram } from './programs.ts'

const streams = Number(process.env.STREAMS ?? 5_000)
/** Bytes per stream (SCL-11). */
const allowed = 14_000

/** Hosts that only listen: what one more costs the server, compared with a bare server that holds as many. */
export async function benchStreams(portal: Portal): Promise<void> {
  const organization = randomUUID()
  await portal.client.query('insert into organization (public_id, name) values ($1, $1)', [organization])
  const { credential } = await enroll(portal, organization, 'Listening')
  const ours = await weighStreams(`${portal.url}/api/agent/events`, portal.inspectorPort, { authorization: `Bearer ${credential}` })

  const port = pickPort()
  const floor = await startProgram('bench/src/bare-streams.ts', [], { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` }, 'listening on')
  const bare = await weighStreams(`http://127.0.0.1:${/\d+$/.exec(floor.line)?.[0]}/`, port, {})
  await endProgram(floor.child, 'signal')
  process.stdout.write(`${streams} idle event streams: ${ours} bytes each, of a bare server ${bare}\n`)
  judge('SCL-11', 'bytes of an idle event stream', ours, { most: allowed })
}

/** Bytes per stream among so many, after the first few hundred have warmed the server up. */
async function weighStreams(url: string, inspectorPort: number, headers: Record<string, string>): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  await openStreams(url, headers, agent, 300)
  const before = await weighHeap(inspectorPort)
  await openStreams(url, headers, agent, streams)
  const after = await weighHeap(inspectorPort)
  agent.destroy()
  return Math.round((after - before) / streams)
}

async function openStreams(url: string, headers: Record<string, string>, agent: Agent, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const [response] = (await once(get(url, { headers, agent }), 'response')) as [IncomingMessage]
    if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`)
    response.on('error', () => undefined).resume()
  }
}

/** Bytes that a process with `--inspect` on the port holds after garbage collection: its heap, and what belongs to it outside. */
async function weighHeap(inspectorPort: number): Promise<number> {
  const [target] = (await (await fetch(`http://127.0.0.1:${inspectorPort}/json`)).json()) as { webSocketDebuggerUrl: string }[]
  const socket = new WebSocket(target!.webSocketDebuggerUrl)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  const send = async (id: number, method: string, params = {}): Promise<{ result?: { value: unknown } }> => {
    const answer = new Promise<{ result?: { value: unknown } }>((resolve) => {
      const read = ({ data }: MessageEvent) => {
        const message = JSON.parse(String(data))
        if (message.id !== id) return
        socket.removeEventListener('message', read)
        resolve(message.result)
      }
      socket.addEventListener('message', read)
    })
    socket.send(JSON.stringify({ id, method, params }))
    return answer
  }
  for (let round = 1; round <= 3; round += 1) await send(round, 'HeapProfiler.collectGarbage')
  const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())'
  const { result } = await send(4, 'Runtime.evaluate', { expression, returnByValue: true })
  socket.close()
  return result!.value as number
}
