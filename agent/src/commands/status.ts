import { Stop } from '../exit-codes.ts'
import { localTime } from '../log.ts'
import type { LastCheckIn } from '../loops/agent.ts'
import { computeStart, makeName, openDesired } from '../state/desired-state.ts'
import { readText } from '../state/durable-file.ts'
import { readEnrolment } from '../state/enrollment.ts'
import { folderAt } from '../state/folder.ts'
import { Journal } from '../state/journal.ts'
import { runningAgent } from '../state/lock.ts'
import { hostTimeZone } from './enroll.ts'

/** What the agent of a state folder is doing, as lines for a person. Reads only; works while the agent runs. */
export async function status(state: string, now: Date): Promise<string[]> {
  const folder = folderAt(state)
  const enrolment = await readEnrolment(folder)
  if (!enrolment) throw new Stop('notEnrolled', `This PC is not enrolled (state folder ${folder.path}).`)
  const [desired, journal, pid, last] = await Promise.all([
    openDesired(folder.desired, enrolment.zoneId, enrolment.zoneName),
    Journal.peek(folder.journal),
    runningAgent(folder),
    readLastCheckIn(folder.status),
  ])
  const timeZone = enrolment.timeZone ?? hostTimeZone()
  const orders = desired.orders.filter(({ serialNumber }) => serialNumber === undefined)
  const published = orders.map((order) => {
    const start = computeStart(order, timeZone, now)
    const { applied = 0, failed = 0 } = journal.settled.get(order.publication) ?? {}
    const waits = start > now ? [`waits for ${order.updateTime}, ${localTime(start)} on this PC`] : []
    const isBegun = waits.length === 0 || applied + failed > 0
    const served = isBegun ? [`${applied} readers have it, ${failed} failed`] : []
    const progress = [...served, ...waits, ...(order.halted ? ['halted'] : [])].join(', ')
    return `  ${order.deviceType}: ${makeName(order)}, revision ${order.revision}; ${progress}`
  })
  return [
    `Host PC:        ${enrolment.hostName} (${enrolment.hostId})`,
    `Zone:           ${desired.zoneName} (${enrolment.zoneId})`,
    `Server:         ${enrolment.server}`,
    `Time zone:      ${timeZone}`,
    `State folder:   ${folder.path}`,
    `Agent:          ${pid === null ? 'not running' : `running, process ${pid}`}`,
    `Last check-in:  ${last ? `${localTime(new Date(last.at))}, ${last.readers} readers${last.refused ? `, ${last.refused} not taken` : ''}` : 'none yet'}`,
    `To be reported: ${journal.unsent} outcomes`,
    `Published:      ${published.length === 0 ? 'nothing' : ''}`.trimEnd(),
    ...published,
  ]
}

async function readLastCheckIn(file: string): Promise<LastCheckIn | null> {
  try {
    return JSON.parse((await readText(file)) ?? 'null')
  } catch {
    return null
  }
}
