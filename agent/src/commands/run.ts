import type { Driver } from '../drivers/driver.ts'
import { Stop } from '../exit-codes.ts'
import type { Log } from '../log.ts'
import { runAgent } from '../loops/agent.ts'
import { connectTo } from '../server/client.ts'
import { contentsIn } from '../state/contents.ts'
import { openDesired } from '../state/desired-state.ts'
import { writeJson } from '../state/durable-file.ts'
import { readEnrolment } from '../state/enrollment.ts'
import { folderAt, makeFolder, sweepFolder } from '../state/folder.ts'
import { openBegun } from '../state/in-progress.ts'
import { Journal } from '../state/journal.ts'
import { lockFolder } from '../state/lock.ts'
import { hostTimeZone } from './enroll.ts'

export interface RunOptions {
  state: string
  /** @param readers where a driver may keep something about its readers. */
  driver: (readers: string, log: Log, signal: AbortSignal) => Promise<Driver>
  /** Milliseconds. */
  poll: number
  agentVersion: string
}

/** Works until `signal` aborts. Throws `Stop`: not enrolled, already running, or refused by the server for good. */
export async function run(options: RunOptions, log: Log, signal: AbortSignal): Promise<void> {
  const enrolment = await readEnrolment(folderAt(options.state))
  if (!enrolment) {
    throw new Stop('notEnrolled', `This PC is not enrolled. Run "lectern-agent enroll Location.ctxdm --server … --licence …" first.`)
  }
  const folder = await makeFolder(options.state)
  const lock = await lockFolder(folder)
  try {
    await sweepFolder(folder)
    const desired = await openDesired(folder.desired, enrolment.zoneId, enrolment.zoneName)
    const journal = await Journal.open(folder.journal)
    const driver = await options.driver(folder.readers, log, signal)
    const timeZone = () => enrolment.timeZone ?? hostTimeZone()
    log.info(
      `lectern-agent ${options.agentVersion}: ${enrolment.hostName} in the zone ${desired.zoneName}, ${enrolment.server}, time zone ${timeZone()}.`,
    )
    try {
      await runAgent(
        {
          server: connectTo(enrolment.server, enrolment.credential),
          driver,
          desired,
          contents: (server) => contentsIn(folder.contents, server),
          journal,
          begun: await openBegun(folder.begun),
          log,
          agentVersion: options.agentVersion,
          timeZone,
          poll: options.poll,
          now: () => new Date(),
          checkedIn: (last) => writeJson(folder.status, last),
        },
        signal,
      )
    } finally {
      await driver.close()
      await journal.close()
    }
    log.info('Stopped. Readers go on with what they have.')
  } finally {
    await lock.release()
  }
}
