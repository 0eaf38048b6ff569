import { q } from '../lib/api/query.ts'

/** The reads of the five graphs of an organization, or, without one, of all organizations. */
export const graphQueries = (organizationId: string | null) =>
  organizationId === null
    ? {
        byTime: q('getGlobalDevicesByTime', {}),
        models: q('getGlobalDeviceModels', {}),
        byOs: q('getGlobalDevicesByOs', {}),
        byLocation: q('getGlobalDevicesByLocation', {}),
        licences: q('getGlobalLicenceCounts', {}),
      }
    : {
        byTime: q('getDevicesByTime', { params: { organizationId } }),
        models: q('getDeviceModels', { params: { organizationId } }),
        byOs: q('getDevicesByOs', { params: { organizationId } }),
        byLocation: q('getDevicesByLocation', { params: { organizationId } }),
        licences: q('getLicenceCounts', { params: { organizationId } }),
      }
