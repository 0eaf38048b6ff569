import { readFile } from 'node:fs/promises'
import { type SimulatedHost, SimulatedHosts } from '@lectern/contract/hosts.ts'
import { createFleet } from '../drivers/simulated/fleet.ts'
import { inProcessDriver } from '../drivers/simulated/in-process.ts'
import type { Log } from '../log.ts'
import { sentence } from '../sentence.ts'
import { readEnrollment } from '../state/enrollment.ts'
import { openFolder } from '../state/folder.ts'
import { whenFree } from '../state/lock.ts'
import { Stop } from '../stop.ts'
import { createTurns } from '../turns.ts'
import { enrollInZone } from './enroll.ts'
import { run } from './run.ts'

// The hosts of a file may share a licence, and the server takes few calls with one licence at once.
const mostEnrolling = 4

/** Enrolls and runs all host PCs of a file, readers included, in this process. A refused host ends alone. Throws `Stop`. */
export async function simulate(file: string, agentVersion: string, log: Log, signal: AbortSignal): Promise<void> {
  const { server, hosts } = await readHosts(file)
  const inTurn = createTurns(mostEnrolling)
  const serve = async (host: SimulatedHost) => {
    const named: Log = { info: (text) => log.info(`${host.name}: ${text}`), warn: (text) => log.warn(`${host.name}: ${text}`) }
    try {
      await whenFree(() => simulateHost(host, { server, agentVersion, inTurn }, named, signal), named, signal)
    } catch (error) {
      if (!(error instanceof Stop)) throw error
      named.warn(error.message)
    }
  }
  await Promise.all(hosts.map(serve))
}

async function readHosts(file: string): Promise<SimulatedHosts> {
  try {
    return SimulatedHosts.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    throw new Stop('usage', `The file ${file} cannot be used: ${sentence(error)}`, error)
  }
}

const applyMilliseconds = 400

async function simulateHost(
  host: SimulatedHost,
  { server, agentVersion, inTurn }: { server: string; agentVersion: string; inTurn: ReturnType<typeof createTurns> },
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const { state, zoneId, name, licence, timeZone = null, poll, interval, readers } = host
  const fleet = Array.isArray(readers) ? readers : createFleet(readers.seed, readers.count)
  const enrollment = { state, server, licence, name, agentVersion, driver: 'simulated', timeZone, vendorKey: null, replace: false }
  // As after a restart of its PC. One that was removed from its zone stays removed.
  const stored = await readEnrollment(await openFolder(state))
  const isEnrolled = stored?.zoneId === zoneId && stored.server === server && stored.hostName === name && stored.timeZone === timeZone
  if (!isEnrolled) await inTurn(() => enrollInZone(zoneId, enrollment, log, signal))
  const driver = async (folder: string) => inProcessDriver(folder, fleet, applyMilliseconds)
  await run({ state, driver, poll: poll * 1000, interval: interval * 1000, agentVersion }, log, signal)
}
