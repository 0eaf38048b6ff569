import { type BubbleMapPoint, frequentModels, graphRows, type LabelledChart, type PointChart } from '@lectern/contract/graphs.ts'
import type { Database } from '../lib/database/database.ts'
import type { Handlers } from '../lib/http/serve.ts'
import { countSimulated, type Scope, selectDays, selectLargest, selectLicenceTally } from './sql.ts'

export const graphRoutes = {
  getDevicesByTime: ({ db, params }) => getDevicesByTime(db, params.organizationId),
  getDeviceModels: ({ db, params }) => getDeviceModels(db, params.organizationId),
  getDevicesByOs: ({ db, params }) => getDevicesByOs(db, params.organizationId),
  getDevicesByLocation: ({ db, params }) => listDevicesByLocation(db, params.organizationId),
  getLicenceCounts: ({ db, params }) => selectLicenceTally(db, params.organizationId),
  getGlobalDevicesByTime: ({ db }) => getDevicesByTime(db, null),
  getGlobalDeviceModels: ({ db }) => getDeviceModels(db, null),
  getGlobalDevicesByOs: ({ db }) => getDevicesByOs(db, null),
  getGlobalDevicesByLocation: ({ db }) => listDevicesByLocation(db, null),
  getGlobalLicenceCounts: ({ db }) => selectLicenceTally(db, null),
  getSimulatedReaders: ({ db }) => countSimulated(db),
} satisfies Partial<Handlers>

const label = 'Devices'

async function getDevicesByTime(db: Database, scope: Scope): Promise<PointChart> {
  const days = await selectDays(db, scope)
  return { datasets: [{ label, data: days.map(({ day, devices }) => ({ x: day, y: devices })) }] }
}

const getDeviceModels = async (db: Database, scope: Scope) => toChart(await selectLargest(db, scope, 'model', frequentModels))
const getDevicesByOs = async (db: Database, scope: Scope) => toChart(await selectLargest(db, scope, 'os', graphRows))

const toChart = (tallies: readonly { value: string; devices: number }[]): LabelledChart => ({
  labels: tallies.map(({ value }) => value),
  datasets: [{ label, data: tallies.map(({ devices }) => devices) }],
})

const listDevicesByLocation = async (db: Database, scope: Scope): Promise<BubbleMapPoint[]> =>
  (await selectLargest(db, scope, 'city', graphRows)).map(({ value, devices, latitude, longitude }) => ({
    latitude: roundDegrees(latitude),
    longitude: roundDegrees(longitude),
    value: devices,
    city: value,
  }))

/** Rounds to about ten metres. */
const roundDegrees = (degrees: number): number => Math.round(degrees * 10_000) / 10_000
