/** Bytes reserved for an upload before they come. `grow` reserves so many in all. Both throw a Problem 409 where there is no place. */
export interface Reservation {
  grow(bytes: number): Promise<void>
  release(): void
}

/** Bytes reserved at a time where a body does not give its length. */
const stepBytes = 16 * 1024 * 1024

/**
 * Adds up what uploads under way at this server will take of their organizations' quotas, so that none begins without a place.
 * @param check throws a Problem 409 where the organization has no place for so many more bytes
 */
export function createReservations(check: (organizationId: number, bytes: number) => Promise<void>) {
  const reserved = new Map<number, number>()
  const add = (organizationId: number, bytes: number) => {
    const left = (reserved.get(organizationId) ?? 0) + bytes
    if (left > 0) reserved.set(organizationId, left)
    else reserved.delete(organizationId)
  }
  return async (organizationId: number, bytes: number | null): Promise<Reservation> => {
    let own = 0
    const grow = async (to: number) => {
      if (to <= own) return
      const more = Math.max(to - own, bytes === null ? stepBytes : 0)
      add(organizationId, more)
      own += more
      await check(organizationId, reserved.get(organizationId)!)
    }
    const release = () => {
      add(organizationId, -own)
      own = 0
    }
    const reservation = { grow, release }
    await grow(bytes ?? stepBytes).catch((error: unknown) => {
      release()
      throw error
    })
    return reservation
  }
}
