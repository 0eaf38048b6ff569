import type { Database } from './database/database.ts'

/** What something is signed with: made by whoever needs it first, the same after a restart and for every server on this database. */
export async function signingSecret(db: Database, purpose: string, make: () => Uint8Array): Promise<Uint8Array> {
  const known = () => db.selectFrom('signing_secret').select('secret').where('purpose', '=', purpose).executeTakeFirst()
  const kept = await known()
  if (kept) return kept.secret
  await db
    .insertInto('signing_secret')
    .values({ purpose, secret: Buffer.from(make()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await known())!.secret
}
