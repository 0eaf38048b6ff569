import type { Wire } from '../../drivers/serial/reader-line.ts'

/** A line without a port: what is waited for in vain is counted, in milliseconds, and nobody waits. */
export function newWire(respond: (bytes: Uint8Array) => Iterable<number>): { wire: Wire; waits: number[] } {
  const waits: number[] = []
  let queue: number[] = []
  const wire: Wire = {
    write: async (bytes) => void queue.push(...respond(bytes)),
    next: async (time) => {
      const byte = queue.shift()
      if (byte !== undefined) return byte
      waits.push(time.left)
      time.left = 0
      return null
    },
    clear: () => {
      queue = []
    },
    setAnswered: () => {},
    setInUse: () => {},
  }
  return { wire, waits }
}
