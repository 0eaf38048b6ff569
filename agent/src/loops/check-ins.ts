import { batchSize, type ReportedDevice } from '@lectern/contract/hosts.ts'
import type { Log } from '../log.ts'
import type { Server } from '../server/client.ts'

/** Something in batches the protocol takes. */
export function* batches<T>(all: readonly T[], size: number = batchSize): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}

/** Tells the server how readers are now. */
export interface CheckIns {
  send(devices: readonly ReportedDevice[], timeZone: string, signal: AbortSignal): Promise<{ accepted: number; refused: number }>
  /** Whether the server has taken this reader since the agent started, so that an outcome of it can be understood. */
  isKnown(serialNumber: string): boolean
}

/**
 * A host without readers checks in too, so that it counts as online.
 * Readers the server refuses are logged once each and reason; the others are taken all the same.
 */
export function checkIns(server: Server, log: Log, agentVersion: string): CheckIns {
  const told = new Set<string>()
  const known = new Set<string>()

  async function sendBatch(devices: ReportedDevice[], timeZone: string, signal: AbortSignal): Promise<number> {
    const { refused } = await server.call('checkIn', { body: { timeZone, agentVersion, devices } }, signal)
    const refusedAt = new Set(refused.map(({ index }) => index))
    for (const [index, { serialNumber }] of devices.entries()) if (!refusedAt.has(index)) known.add(serialNumber)
    for (const { index, serialNumber, reason } of refused) {
      const line = `The server does not take reader ${serialNumber ?? devices[index]?.serialNumber}: ${reason}`
      if (!told.has(line)) log.warn(line)
      told.add(line)
    }
    return refused.length
  }

  return {
    async send(devices, timeZone, signal) {
      let refused = 0
      for (const batch of devices.length === 0 ? [[]] : batches(devices)) refused += await sendBatch(batch, timeZone, signal)
      return { accepted: devices.length - refused, refused }
    },
    isKnown: (serialNumber) => known.has(serialNumber),
  }
}
