import * as z from 'zod/mini'
import { endpoint, organization, provider } from './http/endpoint.ts'
import { CalendarDate } from './text/text.ts'

/** In UTC, today included. */
export const graphDays = 365
export const graphRows = 400
export const frequentModels = 20

export const LabelledChart = z.object({
  labels: z.array(z.string()),
  datasets: z.array(z.object({ label: z.string(), data: z.array(z.number()) })),
})
export type LabelledChart = z.infer<typeof LabelledChart>

/** `x`: a UTC day (spec §3). */
export const PointChart = z.object({
  datasets: z.array(z.object({ label: z.string(), data: z.array(z.object({ x: CalendarDate, y: z.number() })) })),
})
export type PointChart = z.infer<typeof PointChart>

export const BubbleMapPoint = z.object({ latitude: z.number(), longitude: z.number(), value: z.int(), city: z.string() })
export type BubbleMapPoint = z.infer<typeof BubbleMapPoint>

/** Counts serial numbers on licences. `usingDecode`: those whose device used the decoder (spec §3). */
export const LicenceCounts = z.object({ total: z.int(), usingDecode: z.int() })
export type LicenceCounts = z.infer<typeof LicenceCounts>

const base = '/api/lectern/data/graphs'

const analysts = provider('global:access:analytics')

const graph = <const Name extends string, Answer extends z.ZodMiniType>(name: Name, summary: string, response: Answer) => ({
  ofOrganization: endpoint({
    method: 'GET',
    path: `${base}/organization/{organizationId}/${name}` as const,
    access: organization(),
    shows: [],
    summary,
    response,
  }),
  global: endpoint({
    method: 'GET',
    path: `${base}/global/${name}` as const,
    access: analysts,
    shows: [],
    summary: `${summary}, of all organizations`,
    response,
  }),
})

const byTime = graph('unique-devices-by-time', 'Devices that reported on each of the last 365 days, which are UTC days', PointChart)
const models = graph(
  'most-frequent-device-models',
  'Devices of the 20 most frequent models, by the latest report within 365 days',
  LabelledChart,
)
const byOs = graph('total-devices-by-os', 'Devices by operating system, by the latest report within 365 days', LabelledChart)
const byLocation = graph(
  'unique-devices-by-location',
  'Devices of the 400 largest cities, by the latest report within 365 days',
  z.array(BubbleMapPoint),
)
const licences = graph('license-counts', 'Licensed serial numbers, and those whose decoder was used within 365 days', LicenceCounts)

const getSimulatedReaders = endpoint({
  method: 'GET',
  path: `${base}/global/simulated-readers`,
  access: analysts,
  shows: [],
  summary: 'How many readers of all organizations are simulated; the other graphs count them like real ones',
  response: z.object({ simulated: z.int() }),
})

export const graphEndpoints = {
  getDevicesByTime: byTime.ofOrganization,
  getDeviceModels: models.ofOrganization,
  getDevicesByOs: byOs.ofOrganization,
  getDevicesByLocation: byLocation.ofOrganization,
  getLicenceCounts: licences.ofOrganization,
  getGlobalDevicesByTime: byTime.global,
  getGlobalDeviceModels: models.global,
  getGlobalDevicesByOs: byOs.global,
  getGlobalDevicesByLocation: byLocation.global,
  getGlobalLicenceCounts: licences.global,
  getSimulatedReaders,
}
