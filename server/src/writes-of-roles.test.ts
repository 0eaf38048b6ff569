import { type EndpointName, endpoints } from '@lectern/contract/endpoints.ts'
import { customerPermissions } from '@lectern/contract/http/permissions.ts'
import type { CallArguments } from '@lectern/contract/http/request.ts'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'
import { deskRecord, reader } from './testing/makers.ts'
import { serverForFile } from './testing/server.ts'

type WriteName = { [N in EndpointName]: (typeof endpoints)[N]['method'] extends 'GET' ? never : N }[EndpointName]

/**
 * Who may change what others made, or what is the whole organization's:
 * permissions, of which one is needed · `own`: nobody, as it changes only what is the caller's · `invited`: whoever has an invitation ·
 * `staff` of the vendor · `program`: a host PC or a licence · `content`: whoever may publish what it publishes.
 */
type Who = 'own' | 'invited' | 'staff' | 'program' | 'content' | readonly [string, ...string[]]

const own = 'own'
const staff = 'staff'
const program = 'program'
const content = 'content'
const people = ['manage:people'] as const
const firmware = ['manage:firmware'] as const
const cfg = ['manage:cfg'] as const
const library = ['manage:cfg-lib'] as const
const licences = ['manage:licences'] as const

/** Every call that is not a GET, by hand, from decision 74. */
const writes: Record<WriteName, Who> = {
  updateCurrentUser: own,
  setActiveOrganization: own,
  registerUser: own,
  registerOrganization: own,
  leaveOrganization: own,
  saveScannerAppUser: own,
  logDevices: own,
  makeGoCode: own,
  createCase: own,
  updateCase: own,
  deleteCase: own,
  saveConfiguration: own,
  createLibraryEntry: own,

  updateLibraryEntry: library,
  deleteLibraryEntry: library,
  restoreLibraryEntry: library,
  addLibraryVersion: library,
  deleteSavedConfiguration: library,
  createConfig: cfg,
  editConfig: cfg,
  deleteConfig: cfg,
  createGroup: people,
  renameGroup: people,
  setGroupProducts: ['manage:cfg', 'manage:firmware', 'manage:people'],
  joinGroup: 'invited',
  createReader: firmware,
  updateReader: firmware,
  deleteReader: firmware,
  createDeskRecord: cfg,
  withdrawDeskRecord: cfg,
  changeMemberRole: people,
  changeMemberGroup: people,
  removeMember: people,
  createInvitation: people,
  resendInvitation: people,
  revokeInvitation: people,
  createRole: people,
  updateRole: people,
  deleteRole: people,
  setSignInRule: people,
  confirmRecovery: people,
  refuseRecovery: people,
  setSchedule: people,
  setZoneSchedule: people,
  setPublishingDefaults: people,
  createLicence: licences,
  generateLicence: licences,
  revokeLicence: licences,

  createZone: firmware,
  deleteZone: firmware,
  setZoneNote: firmware,
  tagZones: firmware,
  removeHost: firmware,
  deleteDevice: firmware,
  publishCfg: cfg,
  publishCodeRules: cfg,
  publishLibraryVersion: cfg,
  reapplyConfiguration: cfg,
  uploadScript: cfg,
  publishFirmwareVersion: firmware,
  publishFirmwareFile: firmware,
  reapplyFirmware: firmware,
  uploadFirmware: firmware,
  publishToZones: content,
  previewPublication: content,
  haltRollout: content,
  nameRollout: content,
  resumeRollout: content,
  retryRollout: content,
  rollBackRollout: content,
  startRollout: content,
  moveRollout: content,
  beginPhase: content,
  setSafetyLimit: content,

  deleteGroup: staff,
  markOrganization: staff,
  createProduct: staff,
  updateProduct: staff,
  createAd: staff,
  updateAd: staff,
  deleteAd: staff,
  uploadFirmwareRelease: staff,
  offerFirmwareRelease: staff,
  deleteFirmwareRelease: staff,
  enrollHost: program,
  checkIn: program,
  reportOutcomes: program,
  reportProgress: program,
}

const server = await serverForFile()
const organization = await server.organization()
const organizationId = organization.id
const manager = await server.person({ organization, permissions: customerPermissions })
const zone = await server.zone('Ward 3', organization)
const host = await server.host(zone)
await host.checkIn([reader('R-1')])
const rollout = uuidv7()
await zone.manager.call('publishCfg', {
  params: { organizationId, location: zone.id, device: 'CR2700' },
  body: { cfg: '<cfg></cfg>', updateTime: '02:00', rollout },
})
const entry = (
  await manager.call('createLibraryEntry', {
    params: { organizationId },
    body: { name: 'Wristband', device: 'CR2700', content: { kind: 'commands', commands: ['SYAZTCSEN1'] } },
  })
).body
const deleted = (
  await manager.call('createLibraryEntry', {
    params: { organizationId },
    body: { name: 'Deleted wristband', device: 'CR2700', content: { kind: 'commands', commands: ['SYAZTCSEN1'] } },
  })
).body
await manager.call('deleteLibraryEntry', { params: { organizationId, id: deleted.id } })
const config = (await manager.call('createConfig', { query: { collection: 'ward' }, body: { configName: 'Wristband', configString: 'x' } }))
  .body
const registered = (await manager.call('createReader', { params: { customerid: organizationId }, body: { sn: 'R-1' } })).body
const group = (await manager.call('createGroup', { body: { name: 'Night shift' } })).body

await server.app.db
  .insertInto('firmware_release')
  .values({
    id: uuidv7(),
    device_type: 'CR2700',
    version: '9.0.0',
    version_order: '9',
    notes: '',
    file_name: 'a.crvfw',
    content_hash: 'a'.repeat(64),
    size: 1,
    created_by: '',
  })
  .execute()

const recordId = uuidv7()
await manager.call('createDeskRecord', { params: { organizationId }, body: deskRecord({ id: recordId, serialNumber: 'R-1' }) })

const viewer = await server.person({ organization })
const auditor = await server.person({ organization, permissions: ['access:audit_log', 'access:analytics'] })
const elsewhere = await server.zone('Ward 4', organization)
const limited = await server.limitedPerson(organization, [elsewhere], ['manage:cfg', 'manage:firmware', 'access:audit_log'])

const publication = {
  key: uuidv7(),
  zones: { ids: [zone.id] },
  parts: [{ model: 'CR2700', content: { kind: 'cfg', text: '<cfg></cfg>' } }],
  when: { updateTime: '02:00' },
}
const place = { organizationId, location: zone.id, device: 'CR2700', host: host.hostId, serialNumber: 'R-1' }

/** Of what others made, with a body that would be taken. */
const calls: Partial<Record<WriteName, CallArguments>> = {
  updateLibraryEntry: { params: { organizationId, id: entry.id }, body: { name: 'Mine' } },
  deleteLibraryEntry: { params: { organizationId, id: entry.id } },
  restoreLibraryEntry: { params: { organizationId, id: deleted.id } },
  addLibraryVersion: { params: { organizationId, id: entry.id }, body: { content: { kind: 'commands', commands: ['SYAZTCSEN0'] } } },
  deleteSavedConfiguration: { params: { organizationId, device: 'CR2700', name: 'Wristband' } },
  editConfig: { query: { id: config.id, collection: 'ward' }, body: { configName: 'Mine' } },
  deleteConfig: { query: { id: config.id, collection: 'ward' } },
  createConfig: { query: { collection: 'ward' }, body: { configName: 'Mine', configString: 'x' } },
  createGroup: { body: { name: 'Mine' } },
  renameGroup: { params: { id: organization.groupId }, body: { name: 'Mine' } },
  setGroupProducts: { params: { id: organization.groupId }, body: { productIds: [2] } },
  createReader: { params: { customerid: organizationId }, body: { sn: 'R-2' } },
  updateReader: { params: { id: registered.readerId }, body: { sn: 'R-3' } },
  deleteReader: { params: { id: registered.readerId } },
  createDeskRecord: { params: { organizationId }, body: deskRecord({ serialNumber: 'R-4' }) },
  withdrawDeskRecord: { params: { organizationId, id: recordId }, body: { reason: 'Mine' } },
  setZoneNote: { params: place, body: { note: 'Mine' } },
  publishCfg: { params: place, body: { cfg: '<cfg></cfg>', when: 'now' } },
  publishLibraryVersion: { params: place, body: { configurationId: entry.id, version: 1, when: 'now' } },
  publishFirmwareVersion: { params: place, body: { firmwareVersion: 'latest', when: 'now' } },
  publishCodeRules: { params: place, file: new File(['function rules_onDecode(data) { return data }'], 'a.js'), fields: { when: 'now' } },
  publishFirmwareFile: { params: place, file: new File(['firmware'], 'a.crvfw'), fields: { when: 'now' } },
  publishToZones: { params: { organizationId }, body: publication },
  previewPublication: { params: { organizationId }, body: publication },
  rollBackRollout: { params: { organizationId, id: rollout }, body: { updateTime: null } },
  nameRollout: { params: { organizationId, id: rollout }, body: { name: 'Go-live' } },
  startRollout: { params: { organizationId, id: rollout }, body: {} },
  moveRollout: { params: { organizationId, id: rollout }, body: { date: '2027-01-31', updateTime: '03:00' } },
  setSafetyLimit: { params: { organizationId, id: rollout }, body: { haltAbovePercent: 5, stopTime: null, forLater: false } },
}

const argumentsFor = (name: WriteName): CallArguments =>
  calls[name] ?? {
    params: {
      ...place,
      id: rollout,
      phase: 2,
      organization: organizationId,
      hash: 'a'.repeat(64),
      zone: zone.id,
      roleId: uuidv7(),
      memberId: manager.userId,
      invitationId: uuidv7(),
      address: 'a@b.example',
      deviceName: 'CR2700',
      name: 'x',
    },
  }

const entries = Object.entries(writes) as [WriteName, Who][]
const guarded = entries.filter(([, who]) => typeof who === 'object' || who === content || who === staff).map(([name]) => name)

test('[MAY-01] the table has every call that is not a GET, and no other', () => {
  const all = (Object.keys(endpoints) as EndpointName[]).filter((name) => endpoints[name].method !== 'GET')
  expect(Object.keys(writes).sort()).toEqual(all.sort())
})

describe.each([
  ['a Viewer', viewer],
  ['an Auditor', auditor],
] as const)('[MAY-01] to %s is refused', (_, person) => {
  test.each(guarded)('%s', async (name) => {
    const { status, problem } = await person.call(name, argumentsFor(name))
    expect([name, status, problem?.detail]).toEqual([name, 403, expect.any(String)])
  })

  test('joining a group without an invitation', async () => {
    expect((await person.call('joinGroup', { params: { id: group.gid } })).status).toBe(403)
  })
})

// A record of a desk is one's own (DSK-02): `desk.test.ts`.
describe('[MAY-01] a role that is limited to zones changes nothing of the whole organization, nor what is in other zones', () => {
  const ofZones = new Set<WriteName>(['uploadScript', 'uploadFirmware', 'tagZones', 'createDeskRecord'])
  test.each(guarded.filter((name) => !ofZones.has(name)))('%s', async (name) => {
    const { status } = await limited.call(name, argumentsFor(name))
    expect([403, 404]).toContain(status)
  })
})

describe('[MAY-01] to who has all permissions but those that it needs is refused', () => {
  const needed = entries.flatMap(([name, who]): [WriteName, readonly string[]][] => {
    if (typeof who === 'object') return [[name, who]]
    // What is published is a configuration.
    return who === content ? [[name, cfg]] : []
  })
  const others = (permissions: readonly string[]) => customerPermissions.filter((permission) => !permissions.includes(permission))
  test.each(needed)('%s', async (name, permissions) => {
    const person = await server.person({ organization, permissions: others(permissions) })
    const { status } = await person.call(name, argumentsFor(name))
    expect([name, status]).toEqual([name, 403])
  })
})

test('[MAY-01] after all of this everything is as it was', async () => {
  expect((await manager.call('getLibraryEntry', { params: { organizationId, id: entry.id } })).body).toEqual(entry)
  expect((await manager.call('getConfig', { params: { id: config.id } })).body).toEqual(config)
  expect((await manager.call('getReader', { params: { id: registered.readerId } })).body).toMatchObject({ sn: 'R-1' })
  expect((await manager.call('listGroups')).body.map(({ name, products }) => [name, products])).toEqual([
    [`${organization.name} Products`, []],
    ['Night shift', []],
  ])
})

const inRole = (permission: string) => server.person({ organization, permissions: [permission as 'manage:cfg'] })

test.each(['updateLibraryEntry', 'addLibraryVersion', 'deleteLibraryEntry'] as const)(
  '[MAY-01] %s of what others made needs manage:cfg-lib, of their own nothing',
  async (name) => {
    const params = { organizationId }
    const create = async ({ call }: typeof viewer, title: string) =>
      (
        await call('createLibraryEntry', {
          params,
          body: { name: title, device: 'CR2700', content: { kind: 'commands', commands: ['CFR'] } },
        })
      ).body
    const theirs = await create(manager, `Theirs ${name}`)
    const change = (person: { call: typeof viewer.call }, id: string) =>
      person.call(name, {
        ...argumentsFor(name),
        params: { organizationId, id },
        ...(name === 'updateLibraryEntry' && { body: { name: id } }),
      })
    const publisher = await inRole('manage:cfg')
    const { status, problem } = await change(publisher, theirs.id)
    const sentence = 'You did not make this configuration. To change it you need the permission “Manage the library”.'
    expect([status, problem.detail]).toEqual([403, sentence])
    expect((await change(await inRole('manage:cfg-lib'), theirs.id)).status).toBeLessThan(300)
    for (const person of [viewer, limited]) {
      const mine = await create(person, `Mine ${uuidv7()}`)
      expect(mine.mayChange).toBe(true)
      expect((await change(person, mine.id)).status).toBeLessThan(300)
    }
  },
)

test.each([
  ['createGroup', ['manage:people']],
  ['renameGroup', ['manage:people']],
  ['setGroupProducts', ['manage:cfg', 'manage:firmware', 'manage:people']],
  ['createReader', ['manage:firmware']],
  ['createConfig', ['manage:cfg']],
] as const)('[MAY-01] %s is for whoever has one of %j', async (name, permissions) => {
  for (const permission of permissions) {
    const home = await server.organization()
    const { call } = await server.person({ organization: home, permissions: [permission] })
    const { params, ...rest } = argumentsFor(name)
    const answer = await call(name, { ...rest, ...(params && { params: { ...params, id: home.groupId, customerid: home.id } }) })
    expect([permission, answer.status]).toEqual([permission, 200])
  }
})
