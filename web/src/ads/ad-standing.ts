import type { Ad, AdStatus } from '@lectern/contract/ads.ts'

export const statusNames: Record<AdStatus, string> = { 0: 'Draft', 1: 'Published', 2: 'Archived' }

type Dated = Pick<Ad, 'status' | 'adsStartDate' | 'adsEndDate'>

/** Whether customers see an ad. `today`: a day in UTC, as the ad's days are. */
export function getStanding({ status, adsStartDate, adsEndDate }: Dated, today = new Date().toISOString().slice(0, 10)) {
  if (status !== 1) return 'not published'
  if (today < adsStartDate) return 'to come'
  return today > adsEndDate ? 'over' : 'shown'
}
