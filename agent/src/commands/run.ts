import { rm } from 'node:fs/promises'
import { simulatedDriver } from '@lectern/contract/hosts.ts'
import type { Driver } from '../drivers/driver.ts'
import type { Log } from '../log.ts'
import { runAgent } from '../loops/agent.ts'
import { connectTo } from '../server/client.ts'
import { Contents } from '../state/contents.ts'
import { DesiredState } from '../state/desired-state.ts'
import { writeJson } from '../state/durable-file.ts'
import { readEnrollment, type StoredEnrollment } from '../state/enrollment.ts'
import { type Folder, folderAt, makeFolder, sweepFolder } from '../state/folder.ts'
import { withRemedy } from '../state/folder-remedies.ts'
import { Given, namingDriver } from '../state/given.ts'
import { InProgress } from '../state/in-progress.ts'
import { Journal } from '../state/journal.ts'
import { lockFolder } from '../state/lock.ts'
import { Stop } from '../stop.ts'
import { hostTimeZone } from '../time-zone.ts'

export interface RunOptions {
  state: string
  driver: (folder: string, log: Log, signal: AbortSignal) => Promise<Driver>
  poll: number
  interval: number
  agentVersion: string
}

async function openState(folder: Folder, { zoneId, zoneName }: StoredEnrollment) {
  await sweepFolder(folder)
  await rm(folder.refusal, { force: true })
  return {
    desired: await DesiredState.open(folder.desired, zoneId, zoneName),
    journal: await Journal.open(folder.journal),
    inProgress: await InProgress.open(folder.inProgress),
    given: await Given.open(folder.given),
  }
}

export async function run(options: RunOptions, log: Log, signal: AbortSignal): Promise<void> {
  const { agentVersion, poll, interval } = options
  const enrollment = await readEnrollment(folderAt(options.state))
  if (!enrollment) {
    throw new Stop('notEnrolled', 'This PC is not enrolled. Run "lectern-agent enroll Location.ctxdm --server … --licence …" first.')
  }
  const server = connectTo(enrollment.server, enrollment.credential, enrollment.allowHttp)
  const folder = await makeFolder(options.state)
  const lock = await withRemedy(folder, () => lockFolder(folder))
  try {
    const { desired, journal, inProgress, given } = await withRemedy(folder, () => openState(folder, enrollment))
    const driver = namingDriver(await options.driver(folder.readers, log, signal), given)
    const timeZone = () => enrollment.timeZone ?? hostTimeZone()
    log.info(
      `lectern-agent ${agentVersion}: ${enrollment.hostName} in the zone ${desired.zoneName}, ${enrollment.server}, time zone ${timeZone()}, driver ${driver.name}.`,
    )
    if (driver.name === simulatedDriver) log.warn('The readers are simulated. They do not exist.')
    const contents = (watched: typeof server) => new Contents(folder.contents, watched)
    const now = () => new Date()
    const onCheckedIn = (last: object) => writeJson(folder.status, last)
    try {
      await runAgent(
        { server, driver, desired, contents, journal, inProgress, log, agentVersion, timeZone, poll, interval, now, onCheckedIn },
        signal,
      )
    } catch (error) {
      if (error instanceof Stop) await writeJson(folder.refusal, error.message)
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
