import { setTimeout as pause } from 'node:timers/promises'
import { Random } from './random.ts'
import type { Stand } from './stand.ts'

/**
 * writes: once so many more writes were acknowledged as `delay` says.
 * sweep: while the server folds counts and marks readers, a minute after its start.
 * start: before a server that was killed is ready again.
 * work: at any other time.
 */
type Place = 'work' | 'start' | 'sweep' | 'writes'

interface KillPoint {
  victim: 'server' | 'postgres'
  place: Place
  /** Milliseconds after the place was reached. */
  delay: number
}

export interface Kills {
  server: number
  postgres: number
}

const sweepAfter = 60_000

/** The kills of a run: at a sweep every other minute, at one restart in ten, and the rest spread over the remaining time. */
export function killPoints(seed: number, minutes: number, kills: Kills): KillPoint[] {
  const random = new Random(seed * 10_007)
  const victims = shuffleVictims(random, kills)
  const sweeps = Math.min(Math.floor(minutes / 2), victims.length)
  const spread = Math.max(1, victims.length - sweeps)
  const mean = Math.max(0, (minutes * 60_000 - sweeps * sweepAfter) / spread - 1_500)
  const places = random.shuffle(victims.map((_, index): Place => (index < sweeps ? 'sweep' : index % 10 === 0 ? 'start' : 'work')))
  return victims.map((victim, index) => {
    const place = places[index]!
    const most = { work: 2 * mean, start: 900, sweep: 300, writes: 0 }[place]
    return { victim, place, delay: Math.floor(random.next() * most) }
  })
}

/**
 * The kills of a run that goes on until all have happened, however slow the machine is: at one restart in ten, and after 1 to `most`
 * writes.
 */
export function killPointsByWrites(seed: number, most: number, kills: Kills): KillPoint[] {
  const random = new Random(seed * 10_009)
  return shuffleVictims(random, kills).map((victim, index) =>
    index % 10 === 9 ? { victim, place: 'start', delay: random.below(900) } : { victim, place: 'writes', delay: 1 + random.below(most) },
  )
}

const shuffleVictims = (random: Random, kills: Kills) =>
  random.shuffle([
    ...Array.from({ length: kills.server }, () => 'server' as const),
    ...Array.from({ length: kills.postgres }, () => 'postgres' as const),
  ])

/**
 * Kills at each point in turn. Returns how often.
 * @param written returns how many writes were acknowledged
 */
export async function killAt(points: readonly KillPoint[], stand: Stand, written: () => number): Promise<Kills> {
  const killed: Kills = { server: 0, postgres: 0 }
  for (const { victim, place, delay } of points) {
    if (place !== 'start') await stand.ready()
    if (place === 'sweep') await pause(Math.max(0, stand.readySince() + sweepAfter - performance.now()))
    const awaited = written() + delay
    if (place === 'writes') while (written() < awaited) await pause(2)
    else await pause(delay)
    // Both are soon there again.
    while (!stand.kill(victim)) await pause(20)
    killed[victim] += 1
  }
  return killed
}
