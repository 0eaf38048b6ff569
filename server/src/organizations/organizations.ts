import type { Database } from '../lib/database.ts'
import { selectOrganization } from './sql.ts'

/** Whether there is an organization of this id. No id has a NUL, which the database could not even be asked for. */
export const organizationExists = async (db: Database, id: string): Promise<boolean> =>
  !id.includes('\0') && (await selectOrganization(db, id)) !== undefined
