import type { ServerResponse } from 'node:http'
import { Problem } from './problem.ts'

interface GateOptions {
  atOnce: number
  waiting: number
  // Seconds after which those that find no place come again; up to twice as many, so that they do not come together.
  retryAfter: number
}

// Keeps one kind of caller from taking the whole server.
export interface Gate {
  // Throws a Problem 429 where too many wait, before whoever comes has cost anything.
  refuseIfFull(): void
  // Waits for a place, and keeps it until the response has ended or its client has left. Throws a Problem 429 where too many wait.
  enter(response: ServerResponse): Promise<void>
}

export function createGate({ atOnce, waiting, retryAfter }: GateOptions): Gate {
  const inside = new Set<ServerResponse>()
  const line = new Map<ServerResponse, () => void>()
  const leave = (response: ServerResponse) => {
    line.delete(response)
    inside.delete(response)
    for (const [next, start] of line) {
      if (inside.size >= atOnce) return
      line.delete(next)
      inside.add(next)
      start()
    }
  }
  const refuseIfFull = () => {
    if (inside.size >= atOnce && line.size >= waiting)
      throw new Problem(429, 'Too many host PCs report at once. Try again in a moment.', {
        retryAfter: Math.ceil(retryAfter * (1 + Math.random())),
      })
  }
  return {
    refuseIfFull,
    async enter(response) {
      if (response.closed) return
      refuseIfFull()
      response.once('close', () => leave(response))
      if (inside.size < atOnce) inside.add(response)
      else await new Promise<void>((resolve) => line.set(response, resolve))
    },
  }
}

// Refuses what a caller asks beyond so many at once, until one of its responses has ended. Throws a Problem 429.
export function createCallerGate(most: number, sentence: string): (caller: string, response: ServerResponse) => void {
  const underWay = new Map<string, number>()
  return (caller, response) => {
    if (response.closed) return
    const count = underWay.get(caller) ?? 0
    if (count >= most) throw new Problem(429, sentence, { retryAfter: 1, isQuota: true })
    underWay.set(caller, count + 1)
    response.once('close', () => {
      const left = underWay.get(caller)! - 1
      if (left > 0) underWay.set(caller, left)
      else underWay.delete(caller)
    })
  }
}
