import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'

export const selectConfigurations = (db: Database, organizationId: number) =>
  db
    .selectFrom('saved_configuration')
    .select(['name', 'device', 'commands', 'created_at'])
    .where('organization_id', '=', organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

export const insertConfiguration = (
  db: Database,
  configuration: { organization_id: number; device: string; name: string; commands: string[]; created_by: string },
) =>
  db
    .insertInto('saved_configuration')
    .values({ id: uuidv7(), ...configuration })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['name', 'device', 'commands', 'created_at'])
    .executeTakeFirst()

export async function deleteConfiguration(db: Database, organizationId: number, device: string, name: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_configuration')
    .where('organization_id', '=', organizationId)
    .where('device', '=', device)
    .where('name', '=', name)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
