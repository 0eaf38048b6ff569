import type { Database } from '../lib/database/database.ts'

const day = 24 * 3_600_000

/** A registry: most of its readers are reported by host PCs, some lie in a drawer, some are lost. */
export async function seedReaders(db: Database, organizationId: string, serials: readonly string[], now: Date): Promise<void> {
  const reported = serials.slice(0, 32).map((serial_number, number) => ({
    serial_number,
    code_master_id: number % 3 === 0 ? `CM-${1_200 + number * 11}` : null,
  }))
  const silent = ['27P0588210', '27P0588214', 'V4500-SPARE-1', 'V4500-SPARE-2'].map((serial_number, number) => ({
    serial_number,
    is_lost: number % 2 === 1,
    last_activity_at: number < 2 ? new Date(now.getTime() - (40 + number * 90) * day) : null,
  }))
  await db
    .insertInto('reader')
    .values([...reported, ...silent].map((reader) => ({ organization_id: organizationId, ...reader })))
    .execute()
}
