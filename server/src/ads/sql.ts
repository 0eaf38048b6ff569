import type { AdInput } from '@lectern/contract/ads.ts'
import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'

const columns = (ad: AdInput) => ({
  title: ad.title,
  description: ad.description,
  image: ad.adsImage,
  url: ad.adsUrl,
  start_date: ad.adsStartDate,
  end_date: ad.adsEndDate,
  status: ad.status,
  created_by_name: ad.createdByName,
})

/** Newest first. `onlyShown`: only ads that are published and whose days include today (UTC). */
export const selectAds = (db: Database, { onlyShown }: { onlyShown: boolean }) =>
  db
    .selectFrom('ad')
    .selectAll()
    .$if(onlyShown, (query) =>
      query.where('status', '=', 1).where(sql<boolean>`(now() at time zone 'utc')::date between start_date and end_date`),
    )
    .orderBy('id', 'desc')

export const lockAd = (db: Database, id: number) => db.selectFrom('ad').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const insertAd = (db: Database, ad: AdInput, createdBy: string) =>
  db
    .insertInto('ad')
    .values({ ...columns(ad), created_by: createdBy })
    .returningAll()
    .executeTakeFirstOrThrow()

export const updateAd = (db: Database, id: number, ad: AdInput) =>
  db.updateTable('ad').set(columns(ad)).where('id', '=', id).returningAll().executeTakeFirst()

export const deleteAd = (db: Database, id: number) => db.deleteFrom('ad').where('id', '=', id).returningAll().executeTakeFirst()
