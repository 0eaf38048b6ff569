import type { Ad } from '@lectern/contract/ads.ts'
import type { Selectable } from 'kysely'
import { recordChange, vendorsLog } from '../audit/audit.ts'
import type { Ad as AdRow } from '../lib/database/schema.ts'
import { isStaff } from '../lib/http/caller.ts'
import { notFound } from '../lib/http/problem.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { deleteAd, insertAd, lockAd, selectAds, updateAd } from './sql.ts'

export const adRoutes = {
  listAds: async ({ db, caller }) => (await selectAds(db, { onlyShown: !isStaff(caller) }).execute()).map(toAd),
  getAd: async ({ db, caller, params }) => {
    const row = await selectAds(db, { onlyShown: !isStaff(caller) })
      .where('id', '=', params.id)
      .executeTakeFirst()
    return requireAd(row)
  },
  createAd: async ({ db, actor, body }) => {
    const ad = toAd(await insertAd(db, body, actor.caller.email))
    await recordChange(db, actor, { organization_id: vendorsLog, change_type: 'createAd', target: ad.title })
    return ad
  },
  updateAd: async ({ db, actor, params, body, unchanged }) => {
    await unchanged(requireAd(await lockAd(db, params.id)))
    const ad = requireAd(await updateAd(db, params.id, body))
    await recordChange(db, actor, { organization_id: vendorsLog, change_type: 'updateAd', target: ad.title })
    return ad
  },
  deleteAd: async ({ db, actor, params }) => {
    const { title } = requireAd(await deleteAd(db, params.id))
    await recordChange(db, actor, { organization_id: vendorsLog, change_type: 'deleteAd', target: title })
  },
} satisfies Partial<Handlers>

function requireAd(row: Selectable<AdRow> | undefined): Ad {
  if (!row) throw notFound('ad')
  return toAd(row)
}

const toAd = (row: Selectable<AdRow>): Ad => ({
  adsid: row.id,
  title: row.title,
  description: row.description,
  adsImage: row.image,
  adsUrl: row.url,
  adsStartDate: row.start_date,
  adsEndDate: row.end_date,
  createdOn: row.created_at.toISOString(),
  createdBy: row.created_by,
  createdByName: row.created_by_name,
  status: row.status as Ad['status'],
})
