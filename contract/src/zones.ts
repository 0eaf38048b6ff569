import * as z from 'zod/mini'
import { DeviceModel } from './devices/device-models.ts'
import { endpoint, organization } from './http/endpoint.ts'
import { field } from './text/fields.ts'
import { byteLength, Text, truncateToBytes, Uuid } from './text/text.ts'

/** A location or workflow with one configuration per model (spec §3). `note`: ours, absent where it is empty. */
export const Zone = z.object({ id: z.string(), name: z.string(), organizationId: z.string(), note: z.optional(z.string()) })
export type Zone = z.infer<typeof Zone>

export const ZoneNote = z.object({
  note: field(z.pipe(z.string().check(z.trim()), Text(500)), {
    label: 'Note',
    hint: 'Every member of the organization sees it. May be left empty.',
  }),
})
export type ZoneNote = z.infer<typeof ZoneNote>

/** @param findProblem a sentence why no zone can have this name; null where one can */
export const NewZone = (findProblem: (name: string) => string | null) =>
  z.object({
    name: field(
      z.string().check(z.refine((name) => findProblem(name) === null, { error: ({ input }) => findProblem(String(input)) ?? undefined })),
      { label: 'Create a zone', hint: 'The name of a location or workflow.' },
    ),
  })

/** Online: listens, or checked in within the last 30 minutes. `driver`: absent where the host does not give it. `simulated`: so are all its readers. */
export const ZoneHost = z.object({
  id: z.string(),
  name: z.string(),
  timeZone: z.string(),
  agentVersion: z.string(),
  lastSeen: z.nullable(z.iso.datetime()),
  isOnline: z.boolean(),
  driver: z.optional(z.string()),
  simulated: z.optional(z.literal(true)),
})
export type ZoneHost = z.infer<typeof ZoneHost>

export const ZoneOverview = z.object({
  zoneId: z.string(),
  readers: z.array(z.object({ deviceType: DeviceModel, count: z.int(), simulated: z.optional(z.int()) })),
  hosts: z.array(ZoneHost),
})
export type ZoneOverview = z.infer<typeof ZoneOverview>

/** Bytes (spec §5). */
export const zoneNameLimit = (organizationId: string): number => 1024 - byteLength(organizationId) - 2 - 50

/** Trimmed, and cut to the limit without splitting a character (spec §5). */
export const zoneName = (text: string, organizationId: string): string =>
  truncateToBytes(text.trim(), zoneNameLimit(organizationId)).trimEnd()

const base = '/api/codedm/organization/{organizationId}'

export const zoneEndpoints = {
  listZones: endpoint({
    method: 'GET',
    path: `${base}/locations`,
    access: organization(),
    limitedRole: 'zones',
    shows: ['zones'],
    summary: 'The zones of an organization, by name',
    response: z.array(Zone),
  }),
  listZoneOverviews: endpoint({
    method: 'GET',
    path: `${base}/locations/overview`,
    access: organization(),
    limitedRole: 'zones',
    shows: ['zones'],
    summary: 'Readers and host PCs of each zone',
    response: z.array(ZoneOverview),
  }),
  createZone: endpoint({
    method: 'POST',
    path: `${base}/location/{location}`,
    access: organization('manage:firmware'),
    changes: ['zones'],
    audit: 'ZoneCreate',
    summary: 'Creates a zone; {location} is its name',
    response: Zone,
  }),
  deleteZone: endpoint({
    method: 'DELETE',
    path: `${base}/location/{location}`,
    access: organization('manage:firmware'),
    limitedRole: 'zones',
    changes: ['devices', 'rollouts', 'zones'],
    audit: 'ZoneDelete',
    summary: 'Deletes a zone that has no host PC any more',
    params: z.object({ location: Uuid }),
  }),
  setZoneNote: endpoint({
    method: 'PUT',
    path: `${base}/location/{location}/note`,
    access: organization('manage:firmware'),
    limitedRole: 'zones',
    changes: ['zones'],
    audit: 'setZoneNote',
    summary: 'Sets the note of a zone; an empty one removes it',
    params: z.object({ location: Uuid }),
    body: ZoneNote,
    response: Zone,
  }),
  removeHost: endpoint({
    method: 'DELETE',
    path: `${base}/host/{host}`,
    access: organization('manage:firmware'),
    limitedRole: 'zones',
    changes: ['zones'],
    audit: 'removeHost',
    summary: 'Takes a host PC out of its zone and revokes its credential',
    params: z.object({ host: Uuid }),
  }),
}
