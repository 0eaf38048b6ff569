import { rm } from 'node:fs/promises'
import { simulatedDriver } from '@lectern/contract/hosts.ts'
import type { Driver } from '../drivers/driver.ts'
import type { Log } from '../log.ts'
import { runAgent } from '../loops/agent.ts'
import { LastCheckIn } from '../loops/check-ins.ts'
import { connectTo } from '../server/client.ts'
import { findProxy, type HttpProxy, nameProxy } from '../server/proxy.ts'
import { trustAuthorities } from '../server/trust.ts'
import { Contents } from '../state/contents.ts'
import { DesiredState } from '../state/desired-state.ts'
import { readJson, writeJson } from '../state/durable-file.ts'
import { enrollAnewCommand, readEnrollment, type StoredEnrollment, storeMachine } from '../state/enrollment.ts'
import { type Folder, makeFolder, openFolder, sweepFolder } from '../state/folder.ts'
import { withRemedy } from '../state/folder-remedies.ts'
import { Given, namingDriver } from '../state/given.ts'
import { InProgress } from '../state/in-progress.ts'
import { Journal } from '../state/journal.ts'
import { lockFolder } from '../state/lock.ts'
import { bindToMachine, checkMachine, type ReadMachineId } from '../state/machine.ts'
import { Stop } from '../stop.ts'
import { hostTimeZone } from '../time-zone.ts'

export interface RunOptions {
  state: string
  driver: (folder: string, log: Log, signal: AbortSignal) => Promise<Driver>
  poll: number
  interval: number
  agentVersion: string
  /** Absent for a host PC that does not exist, and so is on no machine. */
  readMachineId?: ReadMachineId
}

async function openState(folder: Folder, { zoneId, zoneName }: StoredEnrollment) {
  await sweepFolder(folder)
  await rm(folder.refusal, { force: true })
  return {
    desired: await DesiredState.open(folder.desired, zoneId, zoneName),
    journal: await Journal.open(folder.journal),
    inProgress: await InProgress.open(folder.inProgress),
    given: await Given.open(folder.given),
    last: await readJson(folder.status, LastCheckIn),
  }
}

/** Binds a folder from before. Throws `Stop` where the folder is of another machine. */
async function bindFolder(folder: Folder, enrollment: StoredEnrollment, readMachineId: ReadMachineId, log: Log): Promise<void> {
  const machineId = await readMachineId()
  checkMachine(enrollment, machineId)
  if (machineId === null) log.warn('This PC has no machine id. A copy of the state folder on another PC is not noticed here.')
  else if (enrollment.machine === undefined) await storeMachine(folder, enrollment, bindToMachine(enrollment.hostId, machineId))
}

/** Throws `Stop` where there is none. */
async function readOwnEnrollment(folder: Folder): Promise<StoredEnrollment> {
  const enrollment = await readEnrollment(folder)
  if (enrollment) return enrollment
  throw new Stop('notEnrolled', 'This PC is not enrolled. Run "lectern-agent enroll Location.ctxdm --server … --licence …" first.')
}

/** A variable of the whole PC that is no proxy for this agent does not end it. */
function chooseProxy({ server, proxy }: StoredEnrollment, log: Log): HttpProxy | null {
  try {
    return findProxy(server, proxy)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    log.warn(`${error.message} The agent goes on without it.`)
    return null
  }
}

export async function run(options: RunOptions, log: Log, signal: AbortSignal): Promise<void> {
  const { agentVersion, poll, interval } = options
  // No folder is made where there is none.
  await readOwnEnrollment(await openFolder(options.state))
  const folder = await makeFolder(options.state)
  const lock = await withRemedy(folder, () => lockFolder(folder))
  try {
    const enrollment = await readOwnEnrollment(folder)
    const { allowHttp, ca } = enrollment
    const proxy = chooseProxy(enrollment, log)
    const server = connectTo(enrollment.server, enrollment.credential, { allowHttp, proxy })
    trustAuthorities(enrollment.server, ca)
    const { readMachineId } = options
    if (readMachineId) await withRemedy(folder, () => bindFolder(folder, enrollment, readMachineId, log))
    const { desired, journal, inProgress, given, last } = await withRemedy(folder, () => openState(folder, enrollment))
    const driver = namingDriver(await options.driver(folder.readers, log, signal), given)
    const timeZone = () => enrollment.timeZone ?? hostTimeZone()
    const through = proxy ? ` through the proxy ${nameProxy(proxy)}` : ''
    log.info(
      `lectern-agent ${agentVersion}: ${enrollment.hostName} in the zone ${desired.zoneName}, ${enrollment.server}${through}, time zone ${timeZone()}, driver ${driver.name}.`,
    )
    if (driver.name === simulatedDriver) log.warn('The readers are simulated. They do not exist.')
    const contents = (watched: typeof server) => new Contents(folder.contents, watched)
    const now = () => new Date()
    const sequence = last?.sequence ?? 0
    const unnamed = proxy && !enrollment.proxy ? { proxy: nameProxy(proxy) } : {}
    const onCheckedIn = (checkIn: LastCheckIn) => writeJson(folder.status, { ...checkIn, ...unnamed })
    const enrollAnew = enrollAnewCommand(enrollment)
    const about = { agentVersion, timeZone, poll, interval, sequence, enrollAnew, now, onCheckedIn }
    try {
      await runAgent({ server, driver, desired, contents, journal, inProgress, log, ...about }, signal)
    } catch (error) {
      // A full disk must not hide why it ends.
      if (error instanceof Stop) await writeJson(folder.refusal, error.message).catch(() => undefined)
      throw error
    } finally {
      await driver.close()
      await journal.close()
    }
    log.info('Stopped. Readers keep what they have.')
  } finally {
    await lock.release()
  }
}
