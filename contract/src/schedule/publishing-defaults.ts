import * as z from 'zod/mini'
import { endpoint, organization } from '../http/endpoint.ts'
import { Limits, Phases } from '../publications/phases.ts'

const withoutZones = z.refine<readonly { zones?: readonly string[] | undefined }[]>(
  (phases) => phases.every(({ zones }) => zones === undefined),
  { message: 'Zones are chosen when something is published. Enter a share.' },
)

// What an organization's rollouts have where their publisher chooses nothing else.
export const PublishingDefaults = z.extend(Limits, { phases: Phases.check(withoutZones) })
export type PublishingDefaults = z.infer<typeof PublishingDefaults>

const path = '/api/codedm/organization/{organizationId}/publishing-defaults' as const

export const scheduleEndpoints = {
  getPublishingDefaults: endpoint({
    method: 'GET',
    path,
    access: organization(),
    limitedRole: 'everything',
    shows: ['rollouts'],
    summary: 'The safety limit, stop time and phases of rollouts for which nothing else is chosen',
    response: PublishingDefaults,
    etag: PublishingDefaults,
  }),
  setPublishingDefaults: endpoint({
    method: 'PUT',
    path,
    access: organization('manage:people'),
    changes: ['rollouts'],
    audit: 'setPublishingDefaults',
    summary: 'Sets the safety limit, stop time and phases of later rollouts for which nothing else is chosen',
    body: PublishingDefaults,
    response: PublishingDefaults,
    etag: PublishingDefaults,
  }),
}
