import type { Attached } from '@lectern/contract/devices/attached.ts'
import { simulatedDriver } from '@lectern/contract/hosts.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import * as z from 'zod/mini'
import { localTime } from '../log.ts'
import { LastCheckIn } from '../loops/check-ins.ts'
import { nameProxy } from '../server/proxy.ts'
import { type Assignment, findStart } from '../state/assignment.ts'
import { DesiredState } from '../state/desired-state.ts'
import { readJson } from '../state/durable-file.ts'
import { enrollAnewCommand, readEnrollment } from '../state/enrollment.ts'
import { openFolder } from '../state/folder.ts'
import { withRemedy } from '../state/folder-remedies.ts'
import { Journal } from '../state/journal.ts'
import { runningAgent } from '../state/lock.ts'
import { rows } from '../steps/states.ts'
import { Stop } from '../stop.ts'
import { hostTimeZone } from '../time-zone.ts'

export async function status(state: string, now: Date): Promise<string[]> {
  const folder = await openFolder(state)
  const enrollment = await readEnrollment(folder)
  if (!enrollment) throw new Stop('notEnrolled', `This PC is not enrolled (state folder ${folder.path}).`)
  const [desired, journal, pid, last, refusal] = await withRemedy(folder, () =>
    Promise.all([
      DesiredState.open(folder.desired, enrollment.zoneId, enrollment.zoneName),
      Journal.peek(folder.journal),
      runningAgent(folder),
      readJson(folder.status, LastCheckIn),
      readJson(folder.refusal, z.string()),
    ]),
  )
  const timeZone = enrollment.timeZone ?? hostTimeZone()
  const published = desired.assignments
    .filter(({ serialNumber }) => serialNumber === undefined)
    .map((assignment) =>
      describe(
        assignment,
        journal.outcomes.get(assignment.publication),
        findStart(assignment, () => timeZone, now),
        now,
      ),
    )
  const proxy = enrollment.proxy ? nameProxy(enrollment.proxy) : last?.proxy
  const refused = last?.refused ? `, ${last.refused} refused` : ''
  return [
    `Host PC:        ${enrollment.hostName} (${enrollment.hostId})`,
    `Zone:           ${desired.zoneName} (${enrollment.zoneId})`,
    `Server:         ${enrollment.server}${proxy === undefined ? '' : ` through the proxy ${proxy}`}`,
    `Time zone:      ${timeZone}`,
    `State folder:   ${folder.path}`,
    `Agent:          ${pid === null ? 'not running' : `running, process ${pid}`}`,
    ...(refusal === null ? [] : [`Ended because:  ${refusal}`]),
    ...(last?.driver === undefined
      ? []
      : [`Driver:         ${last.driver}${last.driver === simulatedDriver ? ', its readers do not exist' : ''}`]),
    ...describeAttached(last?.attached),
    `Last check-in:  ${last ? `${localTime(new Date(last.at))}, ${counted(last.readers, 'reader')}${refused}` : 'none yet'}`,
    ...(last?.onTwoPcs
      ? [`Handed out:     nothing, as two PCs check in as this host PC. Enroll both anew: ${enrollAnewCommand(enrollment)}`]
      : []),
    `To be reported: ${counted(journal.unsent, 'outcome')}`,
    `Published:      ${published.length === 0 ? 'nothing' : ''}`.trimEnd(),
    ...published,
  ]
}

const kindWords = { cfg: 'CFG', file: 'scripts', commands: 'commands', firmware: 'firmware' }

function describeAttached(attached: Attached | undefined): string[] {
  if (!attached) return []
  const { others, ports, dialects } = attached
  return [
    'Ports:',
    ...ports.map(({ path, says }) => `  ${path}: ${says}`),
    ...(others.length > 0 ? [`Other models:   ${counted(others.length, 'reader')}, counted apart and given nothing`] : []),
    'Dialects:',
    ...dialects.map(
      ({ name, can }) => `  ${name}: lists readers, gives them ${can.map((kind) => kindWords[kind]).join(', ') || 'nothing'}`,
    ),
  ]
}

export function explainStates(): string[] {
  return rows.flatMap(([state, { meaning, step, leadsTo, durable }]) => [
    `${state.padEnd(12)} ${meaning}`,
    `${' '.repeat(12)} Step:     ${step ?? 'none, it is final'}`,
    `${' '.repeat(12)} Leads to: ${leadsTo.join(', ') || 'nothing'}`,
    `${' '.repeat(12)} On disk:  ${durable.replaceAll('`', '')}`,
  ])
}

function describe(
  { deviceType, label, revision, updateTime, halted }: Assignment,
  outcomes: { applied: number; failed: number } | undefined,
  start: Date,
  now: Date,
): string {
  const { applied, failed } = outcomes ?? { applied: 0, failed: 0 }
  const isWaiting = start > now
  const parts = [
    ...(!isWaiting || applied + failed > 0 ? [`${counted(applied, 'reader')} updated, ${failed} failed`] : []),
    ...(isWaiting ? [`waits for ${updateTime}, ${localTime(start)} on this PC`] : []),
    ...(halted ? ['halted'] : []),
  ]
  return `  ${deviceType}: ${label}, revision ${revision}; ${parts.join(', ')}`
}
