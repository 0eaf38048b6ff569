import { type BubbleMapPoint, frequentModels, graphRows, type LabelledChart, type PointChart } from '@lectern/contract/graphs.ts'
import type { Database } from '../lib/database/database.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { type Scope, selectDays, selectLargest, selectLicenceTally } from './sql.ts'

export const graphRoutes = {
  getDevicesByTime: ({ db, params }) => devicesByTime(db, params.organizationId),
  getDeviceModels: ({ db, params }) => deviceModels(db, params.organizationId),
  getDevicesByOs: ({ db, params }) => devicesByOs(db, params.organizationId),
  getDevicesByLocation: ({ db, params }) => devicesByLocation(db, params.organizationId),
  getLicenceCounts: ({ db, params }) => selectLicenceTally(db, params.organizationId),
  getGlobalDevicesByTime: ({ db }) => devicesByTime(db, null),
  getGlobalDeviceModels: ({ db }) => deviceModels(db, null),
  getGlobalDevicesByOs: ({ db }) => devicesByOs(db, null),
  getGlobalDevicesByLocation: ({ db }) => devicesByLocation(db, null),
  getGlobalLicenceCounts: ({ db }) => selectLicenceTally(db, null),
} satisfies Partial<Handlers>

const label = 'Devices'

async function devicesByTime(db: Database, scope: Scope): Promise<PointChart> {
  const days = await selectDays(db, scope)
  return { datasets: [{ label, data: days.map(({ day, devices }) => ({ x: day, y: devices })) }] }
}

const deviceModels = async (db: Database, scope: Scope) => labelled(await selectLargest(db, scope, 'model', frequentModels))
const devicesByOs = async (db: Database, scope: Scope) => labelled(await selectLargest(db, scope, 'os', graphRows))

const labelled = (tallies: readonly { value: string; devices: number }[]): LabelledChart => ({
  labels: tallies.map(({ value }) => value),
  datasets: [{ label, data: tallies.map(({ devices }) => devices) }],
})

const devicesByLocation = async (db: Database, scope: Scope): Promise<BubbleMapPoint[]> =>
  (await selectLargest(db, scope, 'city', graphRows)).map(({ value, devices, latitude, longitude }) => ({
    latitude: inDegrees(latitude),
    longitude: inDegrees(longitude),
    value: devices,
    city: value,
  }))

/** To about ten metres. */
const inDegrees = (degrees: number): number => Math.round(degrees * 10_000) / 10_000
