import type { Ad, AdStatus } from '@lectern/contract/ads.ts'

/** The words for an ad's status. */
export const statusNames: Record<AdStatus, string> = { 0: 'Draft', 1: 'Published', 2: 'Archived' }

/** Whether customers see an ad: now, from a later day on, not any more, or not at all because it is not published. */
export type AdStanding = 'shown' | 'to come' | 'over' | 'not published'

type Dated = Pick<Ad, 'status' | 'adsStartDate' | 'adsEndDate'>

/** `today` is a day in UTC, as the ad's are. */
export function getStanding({ status, adsStartDate, adsEndDate }: Dated, today = new Date().toISOString().slice(0, 10)): AdStanding {
  if (status !== 1) return 'not published'
  if (today < adsStartDate) return 'to come'
  return today > adsEndDate ? 'over' : 'shown'
}
