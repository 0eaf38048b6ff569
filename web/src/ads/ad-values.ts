import type { Ad, AdStatus } from '@lectern/contract/ads.ts'

/** An ad as its form holds it. */
export interface AdValues {
  title: string
  description: string
  adsImage: string
  adsUrl: string
  adsStartDate: string
  adsEndDate: string
  createdByName: string
  /** A radio's value. */
  status: string
}

/** A new ad: a draft without days. */
export const newAd = (createdByName: string): AdValues => ({
  title: '',
  description: '',
  adsImage: '',
  adsUrl: '',
  adsStartDate: '',
  adsEndDate: '',
  createdByName,
  status: '0',
})

export const toValues = ({ adsImage, status, ...ad }: Ad): AdValues => ({
  title: ad.title,
  description: ad.description,
  adsImage: adsImage ?? '',
  adsUrl: ad.adsUrl,
  adsStartDate: ad.adsStartDate,
  adsEndDate: ad.adsEndDate,
  createdByName: ad.createdByName,
  status: String(status),
})

/** What the call takes. */
export const adInput = (values: AdValues) => ({
  title: values.title.trim(),
  description: values.description.trim(),
  adsImage: values.adsImage.trim() || null,
  adsUrl: values.adsUrl.trim(),
  adsStartDate: values.adsStartDate,
  adsEndDate: values.adsEndDate,
  createdByName: values.createdByName.trim(),
  status: Number(values.status) as AdStatus,
})
