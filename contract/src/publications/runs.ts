import * as z from 'zod/mini'
import { wallClock } from './zone-clock.ts'

/** An instant at which readers may begin, and the time zones (IANA names) whose clocks show the same time then. */
export const Run = z.object({ at: z.iso.datetime(), timeZones: z.array(z.string()) })
export type Run = z.infer<typeof Run>

/** Groups starts by instant and by what the clocks show then. The runs are in the order of their instants. */
export function groupRuns(starts: readonly { at: Date; timeZone: string }[]): Run[] {
  const runs = new Map<string, { at: Date; timeZones: Set<string> }>()
  for (const { at, timeZone } of starts) {
    const key = `${at.getTime()} ${wallClock(at.getTime(), timeZone)}`
    const run = runs.get(key) ?? { at, timeZones: new Set<string>() }
    run.timeZones.add(timeZone)
    runs.set(key, run)
  }
  return [...runs.values()]
    .sort((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ at, timeZones }) => ({ at: at.toISOString(), timeZones: [...timeZones].sort() }))
}

export const mergeRuns = (runs: readonly Run[]): Run[] =>
  groupRuns(runs.flatMap(({ at, timeZones }) => timeZones.map((timeZone) => ({ at: new Date(at), timeZone }))))
