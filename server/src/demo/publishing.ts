import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { builtInRoles } from '@lectern/contract/people/roles.ts'
import type { Phase } from '@lectern/contract/publications/phases.ts'
import type { PartContent, PublishStart } from '@lectern/contract/publications/publish-to-zones.ts'
import { formatDate } from '@lectern/contract/publications/zone-clock.ts'
import type { Actor } from '../lib/actor.ts'
import type { ContentStore } from '../lib/content-store.ts'
import { type Database, inTransaction } from '../lib/database/database.ts'
import { wholeOrganization } from '../lib/database/zone-scope.ts'
import type { OrganizationIds, Person } from '../lib/http/caller.ts'
import { addVersion, createEntry } from '../library/library.ts'
import { findOrganization } from '../organizations/organizations.ts'
import { publishToZones } from '../publications/publish-to-zones.ts'
import { moveRollout } from '../rollouts/moves.ts'
import { tagZones } from '../zones/tags.ts'
import { createZone } from '../zones/zones.ts'
import { northfield } from './accounts.ts'
import { demoZones } from './seed.ts'
import { quietDesk, sites, wardTags, wristband } from './sites.ts'
import { countSilentZones, hasRollout, selectMember, selectZonesByName } from './sql.ts'

const day = 86_400_000

// The rollouts' ids are fixed, as they decide which reader is in which phase: with these, three of nine readers in the first phase of
// `halted` fail.
const rolloutId = (number: string) => `0198c0de-0003-7000-8000-0000000000${number}`
const ids = { later: rolloutId('01'), soon: rolloutId('02'), tonight: rolloutId('03'), halted: rolloutId('16'), inPhases: rolloutId('25') }

const siteNames = sites.map(({ name }) => name)

interface Publisher {
  organization: OrganizationIds
  actor: Actor<Person>
}

async function findPublisher(db: Database): Promise<Publisher> {
  const email = 'manager@northfield.example'
  const organization = (await findOrganization(db, northfield))!
  const member = await selectMember(db, organization.id, email)
  if (!member) throw new Error(`${email} is no member of Northfield any more.`)
  const caller: Person = {
    userId: member.id,
    email,
    emailVerified: true,
    isByPasskey: false,
    claims: new Set(),
    zones: null,
    organizations: [],
    permissions: new Set(builtInRoles.manager.permissions),
  }
  return { organization, actor: { caller, address: null, requestId: null } }
}

/** Does nothing where Northfield's manager has published before, or the organization has one of the zones. */
export async function seedSites(db: Database): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const { organization, actor } = await findPublisher(transaction)
    const scope = wholeOrganization(organization.id)
    if (await hasRollout(transaction, organization.id, ids.inPhases)) return
    if ((await selectZonesByName(transaction, organization.id, siteNames)).length > 0) return
    const wards = await selectZonesByName(transaction, organization.id, demoZones)
    if (wards.length > 0)
      await tagZones(transaction, actor, scope, { zones: wards.map(({ public_id }) => public_id), add: wardTags, remove: [] })
    for (const { name, tags } of sites) {
      const { id } = await createZone(transaction, actor, organization, name)
      await tagZones(transaction, actor, scope, { zones: [id], add: [...tags], remove: [] })
    }
  })
}

/** Returns false until the host PC of each site has reported its readers. */
export async function seedRollouts(db: Database, contents: ContentStore, now = new Date()): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const { organization, actor } = await findPublisher(transaction)
    if (await hasRollout(transaction, organization.id, ids.inPhases)) return true
    const zones = await selectZonesByName(transaction, organization.id, siteNames)
    if (zones.length === 0) return true
    const numbers = zones.map(({ id }) => id)
    if ((await countSilentZones(transaction, organization.id, numbers)) > 0) return false
    const publisher = { organization, actor }
    const saved = { wristband: await save(transaction, publisher, wristband), quietDesk: await save(transaction, publisher, quietDesk) }
    for (const plan of listPlans(saved, now)) await publish(transaction, contents, publisher, plan)
    return true
  })
}

interface Plan {
  key: string
  tags: readonly string[]
  model: UpdateModel
  content: PartContent
  when: PublishStart
  moveTo?: { date: string; updateTime: string }
  phases?: Phase[]
}

function listPlans(saved: Record<'wristband' | 'quietDesk', PartContent>, now: Date): Plan[] {
  // A time half an hour off from now: readers would begin at once at the present time.
  const later = { updateTime: `12:${String((now.getUTCMinutes() + 30) % 60).padStart(2, '0')}` }
  const inDays = (days: number, updateTime: string) => ({
    when: later,
    moveTo: { date: formatDate(now.getTime() + days * day), updateTime },
  })
  const firmware = (version: string): PartContent => ({ kind: 'firmware', version })
  return [
    { key: ids.later, tags: ['Clinic'], model: 'V4500', content: firmware('2.0.0'), ...inDays(12, '22:00') },
    { key: ids.soon, tags: ['Urgent Care'], model: 'CR1100', content: saved.quietDesk, ...inDays(4, '03:30') },
    { key: ids.tonight, tags: ['Laboratory'], model: 'CR5200', content: firmware('2.2.0'), when: { updateTime: '02:00' } },
    {
      key: ids.halted,
      tags: ['Pharmacy'],
      model: 'CR1500',
      content: firmware('3.9.0'),
      when: { now: true },
      phases: [{ share: 25, soakMinutes: 30, gate: { maxFailedPercent: 25, maxSilentPercent: 25 } }],
    },
    {
      key: ids.inPhases,
      tags: ['Clinic', 'Laboratory', 'Urgent Care'],
      model: 'CR2700',
      content: saved.wristband,
      when: { now: true },
      phases: [
        { share: 10, soakMinutes: 0, gate: { maxFailedPercent: 10, maxSilentPercent: 20 } },
        { share: 40, soakMinutes: 0, gate: 'by hand' },
      ],
    },
  ]
}

async function publish(db: Database, contents: ContentStore, { organization, actor }: Publisher, plan: Plan): Promise<void> {
  const { key, tags, model, content, when, moveTo, phases = [] } = plan
  const scope = wholeOrganization(organization.id)
  const names = sites.filter((site) => site.tags.some((tag) => tags.includes(tag))).map(({ name }) => name)
  const zones = { ids: (await selectZonesByName(db, organization.id, names)).map(({ public_id }) => public_id) }
  const body = { key, zones, parts: [{ model, content }], when, phases }
  await publishToZones({ db, contents, actor, body, params: scope, sinceReceived: () => 0 })
  if (moveTo) await moveRollout({ db, actor, params: { ...scope, id: key } }, moveTo)
}

type Entry = typeof wristband | typeof quietDesk

async function save(db: Database, { organization, actor }: Publisher, { name, device, note, versions }: Entry): Promise<PartContent> {
  const [first, ...later] = versions.map((commands) => ({ kind: 'commands' as const, commands: [...commands] }))
  const id = await createEntry(db, actor, organization.id, { name, device, note, content: first! })
  for (const content of later) await addVersion({ db, actor, params: { organizationId: organization.id, id } }, { content })
  return { kind: 'saved', configurationId: id, version: versions.length }
}
