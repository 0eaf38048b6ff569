import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { licence, manager, northfield, startLoneStack } from '../support/processes/stack.ts'

const root = join(import.meta.dirname, '../..')
const [inOneProcess, executables, zones] = [1_000, 20, 40]
const readers = 5

/** `dist`: the folder that `package:agent` made. Throws where not all have checked in within 90 s. */
export async function restartTogether(dist: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-restart-'))
  const stack = await startLoneStack()
  let running: ChildProcess[] = []
  const kill = async () => {
    const ended = running.map((child) => once(child, 'exit'))
    for (const child of running) child.kill('SIGKILL')
    await Promise.all(ended)
    running = []
  }
  try {
    const hosts = await enrollAll(stack, folder)
    const [simulated, own] = [hosts.slice(0, inOneProcess), hosts.slice(inOneProcess)]
    const file = join(folder, 'hosts.json')
    const fleet = simulated.map((host, index) => ({
      ...host,
      licence,
      poll: 60,
      interval: 900,
      readers: { count: readers, seed: 1_000 + index },
    }))
    writeFileSync(file, JSON.stringify({ server: stack.url, hosts: fleet }))
    const start = () => {
      const options = { stdio: 'ignore', env: { ...process.env, LECTERN_READERS_IDLE_SECONDS: '300' } } as const
      running.push(spawn(process.execPath, [join(root, 'agent/src/main.ts'), 'simulate', file], options))
      const words = (seed: number, state: string) => [
        'run',
        '--driver',
        'simulated',
        '--readers',
        String(readers),
        '--seed',
        String(seed),
        '--state',
        state,
      ]
      running.push(...own.map(({ state }, index) => spawn(join(dist, 'linux-x64/lectern-agent'), words(index, state), options)))
    }
    const countSince = async (since: Date) => {
      const [row] = await stack.sql<{ count: number }>('select count(*)::int from host where name like $1 and last_seen_at > $2', [
        'restart-%',
        since,
      ])
      return row!.count
    }
    const untilAll = async (since: Date, withinMs: number) => {
      for (const began = performance.now(); ; await pause(250)) {
        const count = await countSince(since)
        const took = performance.now() - began
        if (count === hosts.length) return took
        if (took > withinMs) throw new Error(`After ${Math.round(took / 1_000)} s ${count} of ${hosts.length} agents have checked in.`)
      }
    }
    start()
    await untilAll(new Date(0), 300_000)
    await kill()
    const restarted = new Date()
    start()
    const watch = watchLiveness(stack.url)
    const took = await untilAll(restarted, 90_000)
    const slowest = await watch.end()
    console.log(
      `${hosts.length} agents have checked in ${(took / 1_000).toFixed(1)} s after their restart; /livez within ${slowest.toFixed(0)} ms`,
    )
    expect(slowest).toBeLessThan(1_000)
  } finally {
    await kill()
    await stack.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface EnrolledHost {
  state: string
  zoneId: string
  name: string
  timeZone: string
}

/** State folders as they are after enrolling, and the same hosts in the portal. */
async function enrollAll(stack: Awaited<ReturnType<typeof startLoneStack>>, folder: string): Promise<EnrolledHost[]> {
  const api = await stack.api(manager)
  const ids: string[] = []
  for (let zone = 0; zone < zones; zone += 1)
    ids.push((await api('createZone', { params: { organizationId: northfield, location: `Restart ${zone}` } })).id)
  const all = Array.from({ length: inOneProcess + executables }, (_, index) => {
    const credential = randomBytes(32).toString('base64url')
    return {
      zoneId: ids[index % zones]!,
      name: `restart-${index}`,
      credential,
      hash: createHash('sha256').update(credential).digest('hex'),
    }
  })
  const enrolled = await stack.sql<{ host: string; name: string }>(
    `with e as (select * from json_to_recordset($1) e("zoneId" uuid, name text, hash text)),
       h as (
         insert into host (public_id, organization_id, zone_id, licence_id, name, time_zone, agent_version, driver)
         select gen_random_uuid(), z.organization_id, z.id, (select id from licence l where l.organization_id = z.organization_id limit 1),
           e.name, 'UTC', '0.1.0', 'simulated'
         from e join zone z on z.public_id = e."zoneId"
         returning id, organization_id, public_id, name
       ),
       c as (
         insert into host_credential (credential_hash, organization_id, host_id)
         select e.hash, h.organization_id, h.id from h join e using (name)
       )
     select public_id as host, name from h`,
    [JSON.stringify(all)],
  )
  const hostIds = new Map(enrolled.map(({ host, name }) => [name, host]))
  return all.map(({ zoneId, name, credential }) => {
    const state = join(folder, name)
    mkdirSync(state, { mode: 0o700 })
    const stored = {
      version: 1,
      server: stack.url,
      zoneId,
      credential,
      hostId: hostIds.get(name),
      hostName: name,
      zoneName: 'Restart',
      organizationId: northfield,
      timeZone: 'UTC',
      allowHttp: true,
    }
    writeFileSync(join(state, 'enrolment.json'), JSON.stringify(stored), { mode: 0o600 })
    return { state, zoneId, name, timeZone: 'UTC' }
  })
}

/** Asks four times a second whether the portal lives, until it is ended. Returns the slowest answer in milliseconds. */
function watchLiveness(url: string): { end(): Promise<number> } {
  const ending = new AbortController()
  const watching = (async () => {
    let slowest = 0
    while (!ending.signal.aborted) {
      const began = performance.now()
      const { ok } = await fetch(`${url}/livez`)
      expect(ok).toBe(true)
      slowest = Math.max(slowest, performance.now() - began)
      await pause(250)
    }
    return slowest
  })()
  return {
    end() {
      ending.abort()
      return watching
    },
  }
}
