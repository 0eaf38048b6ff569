import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { Caller } from '../fleet-check/calls.ts'
import { type Fleet, type Host, hash, makeFleet, models, type Organization } from '../fleet-check/fleet.ts'
import { type Figures, StrictClient } from './client.ts'
import { names, openStand, type Safeguard } from './stand.ts'

export interface RollingOptions {
  seed: number
  restarts: number
  /** Requests per second, however long each takes. Uploads, exports and streams come on top. */
  rate: number
  without: readonly Safeguard[]
  print(line: string): void
}

export interface RollingResult {
  seconds: number
  restarts: number
  longestStopMs: number
  figures: Figures
  publications: number
  lost: number
  twice: number
  logFile: string
}

const [uploadersAtOnce, exportersAtOnce] = [2, 2]
const auditEntries = 20_000

/** Restarts one server after the other under load. */
export async function runRolling(options: RollingOptions): Promise<RollingResult> {
  const stand = await openStand(options.without)
  try {
    const fleet = await makeFleet(stand, stand.client, new Caller(stand.url), { seed: options.seed, organizations: 4, timeZones: ['UTC'] })
    await makeAuditLog(stand.client, fleet.organizations[0]!)
    const strict = new StrictClient(stand.url)
    const published: string[] = []
    const over = new AbortController()
    const since = performance.now()
    const loads = [
      sendAtRate(options.rate, over.signal, () => sendOne(fleet, strict, published)),
      ...Array.from({ length: uploadersAtOnce }, () => repeat(over.signal, () => uploadFirmware(fleet, strict))),
      ...Array.from({ length: exportersAtOnce }, () => repeat(over.signal, () => exportAuditLog(fleet, strict))),
      ...fleet.organizations.flatMap(({ hosts }) =>
        hosts.map(({ credential }) => strict.follow(credential, '/api/agent/events', over.signal)),
      ),
    ]
    let longestStopMs = 0
    for (let restart = 0; restart < options.restarts; restart += 1) {
      longestStopMs = Math.max(longestStopMs, await stand.restart(names[restart % names.length]!))
      options.print(`${restart + 1} restarts, ${strict.figures.requests} requests, ${strict.figures.errors.length} errors`)
    }
    over.abort()
    await Promise.all(loads)
    const seconds = (performance.now() - since) / 1_000
    return {
      seconds,
      restarts: options.restarts,
      longestStopMs,
      figures: strict.figures,
      logFile: stand.logFile,
      ...(await comparePublications(stand.client, published)),
    }
  } finally {
    await stand.stop()
  }
}

const makeAuditLog = (client: pg.Client, { id }: Organization) =>
  client.query(
    `insert into audit_entry (id, organization_id, change_type, target, new_value)
     select gen_random_uuid(), o.id, 'ZoneCreate', 'Ward ' || n, repeat('x', 100) from organization o, generate_series(1, ${auditEntries}) n where public_id = $1`,
    [id],
  )

/** Sends until the signal; returns when all were answered. */
async function sendAtRate(rate: number, signal: AbortSignal, send: () => Promise<unknown>): Promise<void> {
  const underWay = new Set<Promise<unknown>>()
  const since = performance.now()
  for (let sent = 0; !signal.aborted; sent += 1) {
    await pause(Math.max(0, since + (sent * 1_000) / rate - performance.now()))
    const sending = send().finally(() => underWay.delete(sending))
    underWay.add(sending)
  }
  await Promise.all(underWay)
}

async function repeat(signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await work()
    await pause(50)
  }
}

async function sendOne({ random, organizations }: Fleet, strict: StrictClient, published: string[]): Promise<unknown> {
  const { id, token, hosts } = random.pick(organizations)
  const [host, params] = [random.pick(hosts), { organizationId: id }]
  const sends: (() => Promise<unknown>)[] = [
    () => strict.call(token, 'listZoneOverviews', { params }),
    () => strict.call(token, 'getCurrentUser', {}),
    () => strict.call(host.credential, 'getDesired', {}),
    () => checkIn(strict, host),
    async () => {
      const rollout = randomUUID()
      const args = { params: { ...params, location: host.zone, device: random.pick(models) }, body: { cfg: '<cfg>1</cfg>', rollout } }
      if (await strict.call(token, 'publishCfg', args, { 'idempotency-key': randomUUID() })) published.push(rollout)
    },
  ]
  return random.pick(sends)()
}

const checkIn = (strict: StrictClient, { credential, timeZone, driver, readers }: Host) =>
  strict.call(credential, 'checkIn', {
    body: { timeZone, agentVersion: '1.0.0', driver, digest: hash(randomUUID()), devices: [...readers.values()] },
  })

/** 2 MB, in about two seconds. */
function uploadFirmware({ random, organizations }: Fleet, strict: StrictClient): Promise<unknown> {
  const { id, token, hosts } = random.pick(organizations)
  const path = `/api/codedm/organization/${id}/location/${random.pick(hosts).zone}/device/CR2700/firmware/file`
  const parts = Array.from({ length: 40 }, () => Buffer.alloc(50_000, random.below(256)))
  return strict.upload(token, path, 'own.crvfw', parts, 50)
}

function exportAuditLog({ organizations }: Fleet, strict: StrictClient): Promise<unknown> {
  const { id, token } = organizations[0]!
  return strict.export(token, `/api/codedm/organization/${id}/audit-log/download`, auditEntries)
}

async function comparePublications(client: pg.Client, published: readonly string[]) {
  const { rows } = await client.query<{ times: number }>(
    `select count(p.rollout_id)::int as times from unnest($1::uuid[]) acknowledged left join publication p on p.rollout_id = acknowledged group by acknowledged`,
    [published],
  )
  return {
    publications: published.length,
    lost: rows.filter(({ times }) => times === 0).length,
    twice: rows.filter(({ times }) => times > 1).length,
  }
}
