import type { Database } from './database.ts'

/** Returns the secret of a purpose, made when first needed. All servers on this database have the same. */
export async function getSigningSecret(db: Database, purpose: string, make: () => Uint8Array): Promise<Uint8Array> {
  const select = () => db.selectFrom('signing_secret').select('secret').where('purpose', '=', purpose).executeTakeFirst()
  const stored = await select()
  if (stored) return stored.secret
  await db
    .insertInto('signing_secret')
    .values({ purpose, secret: Buffer.from(make()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await select())!.secret
}
