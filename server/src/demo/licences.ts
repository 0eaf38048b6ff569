import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'
import { newLicenceNumber } from '../licences/licences.ts'

const day = 24 * 3_600_000
const types = { companionApp: 1, decodeSdk: 2, evaluation: 3 }

/** Some licences from before: of every type, with and without a purchase order, for readers of the organization. */
export async function seedLicences(db: Database, organizationId: string, serials: readonly string[], now: Date): Promise<void> {
  const licences = Array.from({ length: 13 }, (_, number) => {
    const type = number % 4 === 1 ? types.decodeSdk : number % 6 === 5 ? types.evaluation : types.companionApp
    const from = number * 4
    return {
      id: uuidv7(),
      organization_id: organizationId,
      licence_number: newLicenceNumber(),
      type_id: type,
      serial_numbers: serials.slice(from, from + 1 + (number % 4)),
      purchase_order_number: type === types.decodeSdk || number % 3 === 0 ? `PO-${2026_0100 + number * 7}` : null,
      created_at: new Date(now.getTime() - (3 + number * 19) * day),
    }
  })
  await db.insertInto('licence').values(licences).execute()
}
