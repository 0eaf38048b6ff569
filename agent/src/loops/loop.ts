import { backoff } from '../backoff.ts'
import { FaultLog } from '../fault-log.ts'
import type { Log } from '../log.ts'
import { sentence } from '../sentence.ts'
import { Refusal, Unavailable } from '../server/errors.ts'
import { DamagedContent } from '../state/contents.ts'
import { Stop } from '../stop.ts'
import { pause, type Wakeup } from '../wakeup.ts'

/**
 * Works at once, then at each wake and after the milliseconds that `work` returns. After errors it pauses, longer each time. Throws `Stop`
 * where the server refuses this host for good.
 */
export async function loop(
  name: string,
  wakeup: Wakeup,
  work: () => Promise<number>,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> {
  const faults = new FaultLog(log, { begins: (reason) => `${name}: ${reason}`, ends: `${name}: works again.` })
  for (let failures = 0; !signal.aborted; ) {
    try {
      const next = await work()
      failures = 0
      faults.end()
      await wakeup.wait(next, signal)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Refusal && [401, 403, 404, 410].includes(error.status)) throw refusedForGood(error)
      failures += 1
      // Both are logged elsewhere, once.
      if (!(error instanceof Unavailable || error instanceof DamagedContent)) faults.begin(sentence(error))
      const retryAfter = error instanceof Unavailable ? (error.retryAfter ?? 0) : 0
      await pause(Math.max(backoff(failures), retryAfter), signal)
    }
  }
}

function refusedForGood(refusal: Refusal): Stop {
  if (refusal.status === 403)
    return new Stop('refused', `The server refuses this host PC: ${refusal.message} The state folder is kept.`, refusal)
  return new Stop(
    'refused',
    `The server no longer accepts this host PC: ${refusal.message} Its credential was revoked or its zone was deleted. The state folder is kept. Enroll again with "lectern-agent enroll … --replace".`,
    refusal,
  )
}
