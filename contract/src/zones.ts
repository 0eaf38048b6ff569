import * as z from 'zod/mini'
import { Attached, AttachedDialect } from './devices/attached.ts'
import { DeviceModel } from './devices/device-models.ts'
import { endpoint, organization } from './http/endpoint.ts'
import { cleanName } from './text/clean-name.ts'
import { field } from './text/fields.ts'
import { formatNumber } from './text/numbers.ts'
import { byteLength, Name, Text, truncateToBytes, Uuid } from './text/text.ts'

/** A location or workflow with one configuration per model (spec §3). `note`, `tags`: ours; absent where there are none. */
export const Zone = z.object({
  id: z.string(),
  name: z.string(),
  organizationId: z.string(),
  note: z.optional(z.string()),
  tags: z.optional(z.array(z.string())),
})
export type Zone = z.infer<typeof Zone>

export const ZoneNote = z.object({
  note: field(z.pipe(z.string().check(z.trim()), Text(500)), {
    label: 'Note',
    hint: 'Every member of the organization sees it. May be left empty.',
  }),
})
export type ZoneNote = z.infer<typeof ZoneNote>

/** The most zones of an organization, unless its operator allows more. */
export const mostZonesListed = 10_000

export const maxTags = 20
/** Compared without case. */
export const Tag = Name(40).check(z.refine((tag) => !tag.includes(','), 'must not have a comma'))
const Tags = z._default(z.array(Tag).check(z.maxLength(maxTags, `Name at most ${maxTags} tags.`)), [])
export const TagInput = z.object({
  zones: z.array(Uuid).check(z.minLength(1, 'Choose at least one zone.'), z.maxLength(5_000, 'Choose at most 5,000 zones.')),
  add: Tags,
  remove: Tags,
})
export type TagInput = z.infer<typeof TagInput>

export const splitTags = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')

const TagText = z.string().check(
  z.refine((text) => splitTags(text).length <= maxTags, `must be at most ${maxTags} tags`),
  z.refine(
    (text) => splitTags(text).every((tag) => Tag.safeParse(tag).success),
    'must be tags of at most 40 characters, with commas between',
  ),
)
const betweenCommas = 'With commas between, such as Ulm, pilot.'

/** As forms have them: the tags are one text. */
export const ZoneDetails = z.object({
  ...ZoneNote.shape,
  tags: field(TagText, { label: 'Tags', hint: `What it has in common with other zones. ${betweenCommas}` }),
})
export const TagChange = z.object({
  add: field(TagText, { label: 'Add tags', hint: betweenCommas }),
  remove: field(TagText, { label: 'Remove tags', hint: betweenCommas }),
})

/**
 * `isPartial`: the caller's role does not see all zones that have it. `limitsRoles`: roles are limited to it, so only people who may change
 * roles add and remove it.
 */
export const TagCount = z.object({
  tag: z.string(),
  zones: z.int(),
  isPartial: z.optional(z.literal(true)),
  limitsRoles: z.optional(z.literal(true)),
})
export type TagCount = z.infer<typeof TagCount>

/**
 * Every zone in few bytes. For each: id, name, indices of its tags in `tags`, its readers by model (an index in `models`, then the count,
 * in turn), and whether it has a host PC.
 */
export const ZoneSelection = z.object({
  tags: z.array(z.string()),
  models: z.array(DeviceModel),
  zones: z.array(z.tuple([z.string(), z.string(), z.array(z.int()), z.array(z.int()), z.boolean()])),
})
export type ZoneSelection = z.infer<typeof ZoneSelection>

/** @param findProblem returns a sentence why no zone can have the name; null where one can */
export const NewZone = (findProblem: (name: string) => string | null) =>
  z.object({
    name: field(
      z.string().check(z.refine((name) => findProblem(name) === null, { error: ({ input }) => findProblem(String(input)) ?? undefined })),
      { label: 'Create a zone', hint: 'The name of a location or workflow.' },
    ),
  })

/**
 * `isOnline`: not silent (RIT-05). `driver`: absent where the host does not give it. `clockAhead`: seconds by which its clock was ahead of
 * the portal's at its last check-in; negative: behind; absent within 5 minutes, and where the host does not give its time. `onTwoPcs`: two
 * PCs check in as this host, and nothing is handed out to it (AGT-08). `simulated`: all its readers are simulated.
 * `attached`: what it has at its ports; only where one zone is asked for, and absent where it does not say. Its dialects are places in those of
 * the zone, as host PCs with the same driver have the same.
 */
export const ZoneHost = z.object({
  id: z.string(),
  name: z.string(),
  timeZone: z.string(),
  agentVersion: z.string(),
  lastSeen: z.nullable(z.iso.datetime()),
  isOnline: z.boolean(),
  driver: z.optional(z.string()),
  clockAhead: z.optional(z.int()),
  onTwoPcs: z.optional(z.literal(true)),
  simulated: z.optional(z.literal(true)),
  attached: z.optional(z.extend(Attached, { dialects: z.array(z.int()) })),
})
export type ZoneHost = z.infer<typeof ZoneHost>

/**
 * Counts the host PCs of one time zone. `wrongClocks`: those whose clock is wrong by more than `clockTolerance`. `clocksAhead`: the least
 * and the most seconds by which these are ahead. `onTwoPcs`: those that are marked so. `otherReaders`: readers of other models at them,
 * which no other count has (SER-01).
 */
export const HostCount = z.object({
  timeZone: z.string(),
  hosts: z.int(),
  online: z.int(),
  wrongClocks: z.optional(z.int()),
  clocksAhead: z.optional(z.tuple([z.int(), z.int()])),
  onTwoPcs: z.optional(z.int()),
  otherReaders: z.optional(z.int()),
  simulated: z.optional(z.literal(true)),
})
export type HostCount = z.infer<typeof HostCount>

/** `hostCounts`: in place of `hosts`, where counts are asked for. `dialects`: of its host PCs, each once; only where one zone is asked for. */
export const ZoneOverview = z.object({
  zoneId: z.string(),
  readers: z.array(z.object({ deviceType: DeviceModel, count: z.int(), simulated: z.optional(z.int()) })),
  hosts: z.array(ZoneHost),
  hostCounts: z.optional(z.array(HostCount)),
  dialects: z.optional(z.array(AttachedDialect)),
})
export type ZoneOverview = z.infer<typeof ZoneOverview>

/** Bytes (spec §5). */
export const zoneNameLimit = (organizationId: string): number => 1024 - byteLength(organizationId) - 2 - 50

/** Trims the name and cuts it to the limit, without splitting a character (spec §5). */
export const zoneName = (text: string, organizationId: string): string =>
  truncateToBytes(cleanName(text), zoneNameLimit(organizationId)).trimEnd()

const base = '/api/codedm/organization/{organizationId}'

export const zoneEndpoints = {
  listLocations: endpoint({
    method: 'GET',
    path: `${base}/locations`,
    access: organization(),
    limitedRole: 'zones',
    shows: ['zones'],
    summary: 'The zones of an organization, by name, whole; one at a time of an account, two of an organization',
    response: z.array(Zone),
    whole: Zone,
  }),
  // For screens: short, so that pages do not wait for a whole list.
  listZones: endpoint({
    method: 'GET',
    path: `${base}/locations/list`,
    access: organization(),
    limitedRole: 'zones',
    shows: ['zones'],
    summary: `The zones of an organization, by name, at most ${formatNumber(mostZonesListed)}`,
    response: z.array(Zone),
  }),
  listZoneOverviews: endpoint({
    method: 'GET',
    path: `${base}/locations/overview`,
    access: organization(),
    limitedRole: 'zones',
    shows: ['zones'],
    summary: 'Readers and host PCs of each zone, or of one; host PCs one by one, or counted by time zone',
    query: z.object({ hosts: z.optional(z.literal('counted')), zone: z.optional(Uuid) }),
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
  tagZones: endpoint({
    method: 'POST',
    path: `${base}/locations/tags`,
    access: organization('manage:firmware'),
    limitedRole: 'zones',
    changes: ['zones'],
    audit: 'tagZones',
    summary: 'Gives zones tags and takes tags from them; one that roles are limited to by whoever may change these roles',
    body: TagInput,
    maxBodyBytes: 256 * 1024,
  }),
  listTags: endpoint({
    method: 'GET',
    path: `${base}/tags`,
    access: organization(),
    limitedRole: 'zones',
    shows: ['zones', 'people'],
    summary: 'The tags of an organization, by name, and how many zones have each',
    response: z.array(TagCount),
  }),
  listZoneSelection: endpoint({
    method: 'GET',
    path: `${base}/locations/selection`,
    access: organization(),
    limitedRole: 'zones',
    shows: ['zones'],
    summary: 'Every zone in few bytes, to choose from: name, tags, readers by model, and whether it has a host PC',
    response: ZoneSelection,
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
