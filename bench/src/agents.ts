import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { checkInMinutes, type SimulatedHosts } from '@lectern/contract/hosts.ts'
import { createOrganization, openZone, post } from './hosts.ts'
import { judge } from './measure.ts'
import type { Portal } from './portal.ts'
import { endProgram, startProgram } from './programs.ts'

const hosts = 50
const readersPerHost = 100
/** A minute of the agents passes in a second: they run this much faster than at a customer. */
const speed = 60
/** How many intervals between check-ins are counted. */
const intervals = 4
/** The length of these intervals in the hosts' own time. */
const seconds = intervals * 60 * checkInMinutes
/** The hosts in the requirement, and how many requests a second all of them may make (SCL-12). */
const [fleet, allowed] = [100_000, 1_000]
/** Publications per host and day, for the sum. */
const publishesPerDay = 4

/** Counts the requests of host PCs between the agents and the server: while nothing changes, and for a publication. */
export async function benchAgents(portal: Portal): Promise<void> {
  const counter = await openCounter(portal.url)
  const folder = await mkdtemp(join(tmpdir(), 'lectern-agents-'))
  const organization = await createOrganization(portal)
  const zones: string[] = []
  const described: SimulatedHosts = { server: counter.url, hosts: [] }
  for (let number = 0; number < hosts; number++) {
    const { id, licence } = await openZone(portal, organization, `Bench ${number}`)
    zones.push(id)
    const readers = { count: readersPerHost, seed: number }
    const times = { poll: 60 / speed, interval: (60 * checkInMinutes) / speed }
    described.hosts.push({ state: join(folder, `host-${number}`), zoneId: id, name: `PC-${number}`, licence, ...times, readers })
  }
  await writeFile(join(folder, 'hosts.json'), JSON.stringify(described))
  const agent = await startProgram('agent/src/main.ts', ['simulate', join(folder, 'hosts.json')], {}, `PC-${hosts - 1}`)
  try {
    await counter.until('/api/agent/check-in', hosts)
    await pause(2_000)
    counter.take()
    const begin = performance.now()
    // Agents in such a hurry are late, so the clock would leave out the last interval of many.
    await counter.until('/api/agent/check-in', hosts * intervals)
    const idle = counter.take()
    const lasted = performance.now() - begin
    for (const zone of zones) await publish(portal, organization, zone)
    await pause(lasted)
    const publishing = new Map([...counter.take()].map(([path, count]) => [path, count - (idle.get(path) ?? 0)]))

    const perSecond = (counts: Counts) => (sum(counts) / hosts / seconds) * fleet
    const daily = ((sum(publishing) / hosts) * publishesPerDay * fleet) / 86_400
    print('requests', 'nothing changes', 'a publication')
    for (const path of new Set([...idle.keys(), ...publishing.keys()]))
      print(path, perHour(idle.get(path) ?? 0), perHost(publishing.get(path) ?? 0))
    process.stdout.write(`(of a host with ${readersPerHost} readers: an hour; a publication)\n`)
    judge(
      'SCL-12',
      `requests a second of ${fleet} hosts, with ${publishesPerDay} publications to each a day (${Math.round(perSecond(idle))} + ${Math.round(daily)})`,
      Math.round(perSecond(idle) + daily),
      { most: allowed },
    )
  } finally {
    await endProgram(agent.child, 'signal')
    counter.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const perHour = (count: number) => ((count / hosts / seconds) * 3_600).toFixed(1)
const perHost = (count: number) => (count / hosts).toFixed(1)

async function publish(portal: Portal, organization: string, zone: string): Promise<void> {
  const path = `/api/codedm/organization/${organization}/location/${zone}/device/CR2700/configuration/cfg`
  await post(portal, path, { cfg: '<cfg>1</cfg>', when: 'now' })
}

type Counts = Map<string, number>
const sum = (counts: Counts) => [...counts.values()].reduce((all, count) => all + count, 0)

/** Passes everything on to the server and counts requests by path. */
async function openCounter(target: string) {
  let counts: Counts = new Map()
  const server = createServer((incoming, response) => {
    const path = incoming.url!.replace(/[0-9a-f]{64}/, '{hash}')
    counts.set(path, (counts.get(path) ?? 0) + 1)
    const outgoing = request(`${target}${incoming.url}`, { method: incoming.method, headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    take() {
      const taken = counts
      counts = new Map()
      return taken
    },
    async until(path: string, count: number) {
      while ((counts.get(path) ?? 0) < count) await pause(100)
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function print(...cells: string[]): void {
  process.stdout.write(`${cells.map((cell, i) => cell[i === 0 ? 'padEnd' : 'padStart'](i === 0 ? 34 : 18)).join('')}\n`)
}
