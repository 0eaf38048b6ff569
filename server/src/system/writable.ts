import { probeEntry } from '../audit/audit.ts'
import type { Database } from '../lib/database/database.ts'
import { describeOutage } from '../lib/database/outage.ts'
import { Problem } from '../lib/http/problem.ts'

const probeEveryMs = 2_000
const readyWithinMs = 2_000

const noAnswer = () => Object.assign(new Error(`no response in ${readyWithinMs} ms`), { code: 'ETIMEDOUT' })

// Returns a function that throws while the database cannot be written to. It tries at most every 2 s, however many calls ask.
export function createWriteProbe(db: Database): () => Promise<void> {
  let tried = Number.NEGATIVE_INFINITY
  let outcome = Promise.resolve()
  return () => {
    if (performance.now() - tried >= probeEveryMs) {
      tried = performance.now()
      outcome = probe(db)
    }
    return outcome
  }
}

async function probe(db: Database): Promise<void> {
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(noAnswer()), readyWithinMs).unref())
  try {
    await Promise.race([probeEntry(db), late])
  } catch (error) {
    const outage = describeOutage(error)
    if (outage?.status === 503) throw error
    const sentence = outage?.sentence ?? 'The database cannot be written to. Contact the administrator of the server.'
    throw new Problem(503, sentence, { cause: error, retryAfter: 2 })
  }
}
