import type { TestPerson } from '../makers.ts'

const ad = { title: 'Ad', description: 'An ad.', adsImage: null, adsUrl: '/product', createdByName: 'Marketing', status: 1 }
const body = { ...ad, adsStartDate: '2026-01-01', adsEndDate: '2026-02-01' }

/** Each function prepares its call and returns the function that makes it. */
export function adScenarios({ call }: TestPerson) {
  const made = async () => ({ id: (await call('createAd', { body })).body.adsid })
  return {
    createAd: async () => () => call('createAd', { body }),
    updateAd: async () => {
      const params = await made()
      return () => call('updateAd', { params, body: { ...body, title: 'Changed' } })
    },
    deleteAd: async () => {
      const params = await made()
      return () => call('deleteAd', { params })
    },
  }
}
