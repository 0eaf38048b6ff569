import { type EndpointName, endpoints } from '@lectern/contract/endpoints.ts'
import type { Endpoint } from '@lectern/contract/http/endpoint.ts'
import { customerPermissions, Permission } from '@lectern/contract/http/permissions.ts'
import { type CallArguments, toRequest } from '@lectern/contract/http/request.ts'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'
import { serverForFile } from './testing/server.ts'

/**
 * Who may make a call:
 * `anyone` · `host` by its credential · `licence` whoever holds a licence number · `person` who is signed in ·
 * `holder`: a person with one of the permissions that follow ·
 * `member` of the organization in the path, or staff · `staff` of the vendor. The last two hold every permission that follows.
 */
type Who = 'anyone' | 'host' | 'licence' | 'person' | 'holder' | 'member' | 'staff'
/** The requirement that names the endpoint's permission (or none), who may call it, and the permissions that they need. */
type Row = readonly [rule: string, who: Who, ...permissions: Permission[]]

/** As people read them. */
const labels: Record<Permission, string> = {
  'manage:cfg': 'Publish configurations',
  'manage:firmware': 'Publish firmware, manage zones',
  'manage:cfg-lib': 'Manage the library',
  'manage:locations': 'Manage locations',
  'manage:licences': 'Manage licences',
  'access:audit_log': 'Read the audit log',
  'access:analytics': 'See the graphs',
  'access:device-dashboard': 'See the device dashboard',
  'manage:people': 'Manage people',
  'global:access:organizations': 'See all organizations',
  'global:access:analytics': 'See the graphs of all organizations',
}

const people: Row = ['[PPL-03]', 'member', 'manage:people']
const windows: Row = ['[NOW-05]', 'member', 'manage:people']
const any: Row = ['', 'member']
const named: Row = ['[PER-21]', 'member']

/**
 * The permission of every endpoint once more, written by hand from spec §6 and what was decided, not taken from the contract:
 * the access test takes its expectation from here. A call that answers by what the caller owns or may do is `person` or `member`
 * here, and `writes-of-roles.test.ts` says the rest.
 */
const callers: Record<EndpointName, Row> = {
  // The system, and the caller
  getLiveness: ['[PER-18]', 'anyone'],
  getReadiness: ['[PER-18]', 'anyone'],
  getPublicSettings: ['[PER-18]', 'anyone'],
  getVendorKeys: ['', 'anyone'],
  getCurrentUser: ['', 'person'],
  updateCurrentUser: ['', 'person'],
  setActiveOrganization: ['', 'person'],
  listRegistrationTasks: ['', 'person'],
  registerUser: ['', 'person'],
  registerOrganization: ['', 'person'],

  // Organizations and groups
  getOrganization: ['[PER-21]', 'member'],
  getOrganizationSummary: ['', 'member'],
  listOrganizationUsers: ['[PER-21]', 'member'],
  listAllOrganizations: ['[PER-14]', 'staff', 'global:access:organizations'],
  getDirectoryTotals: ['', 'staff', 'global:access:organizations'],
  markOrganization: ['', 'staff', 'global:access:organizations'],
  listGroups: ['', 'person'],
  createGroup: ['[MAY-01]', 'holder', 'manage:people'],
  getGroup: ['', 'person'],
  deleteGroup: ['[PER-14]', 'staff', 'global:access:organizations'],
  renameGroup: ['[MAY-01]', 'holder', 'manage:people', 'global:access:organizations'],
  setGroupProducts: ['[MAY-01]', 'holder', 'manage:cfg', 'manage:firmware', 'manage:people', 'global:access:organizations'],
  joinGroup: ['', 'person'],

  // People
  listMembers: people,
  changeMemberRole: people,
  changeMemberGroup: people,
  removeMember: people,
  listInvitations: people,
  createInvitation: people,
  resendInvitation: people,
  revokeInvitation: people,
  listRoles: people,
  getRole: people,
  createRole: people,
  updateRole: people,
  deleteRole: people,
  getSignInRule: people,
  setSignInRule: people,
  listRecoveries: people,
  confirmRecovery: people,
  refuseRecovery: people,
  listManagers: any,
  leaveOrganization: any,

  // Products and ads
  listProducts: ['', 'person'],
  getProduct: ['', 'person'],
  createProduct: ['[PER-15]', 'staff', 'global:access:organizations'],
  updateProduct: ['[PER-15]', 'staff', 'global:access:organizations'],
  listCountries: ['', 'person'],
  listAds: ['', 'person'],
  getAd: ['', 'person'],
  createAd: ['[PER-15]', 'staff', 'global:access:organizations'],
  updateAd: ['[PER-15]', 'staff', 'global:access:organizations'],
  deleteAd: ['[PER-15]', 'staff', 'global:access:organizations'],

  // Cases
  listCases: ['', 'person'],
  listAllCases: ['[API-CRM-02]', 'staff', 'global:access:organizations'],
  getCase: ['', 'person'],
  verifyAddress: ['', 'person'],
  createCase: ['', 'person'],
  updateCase: ['', 'person'],
  deleteCase: ['', 'person'],

  // Zones and readers
  listLocations: ['[PER-21]', 'member'],
  listZones: ['[PER-21]', 'member'],
  listZoneOverviews: ['[PER-21]', 'member'],
  listTags: any,
  listZoneSelection: any,
  tagZones: ['', 'member', 'manage:firmware'],
  createZone: ['[PER-12]', 'member', 'manage:firmware'],
  deleteZone: ['[PER-12]', 'member', 'manage:firmware'],
  setZoneNote: ['', 'member', 'manage:firmware'],
  removeHost: ['', 'member', 'manage:firmware'],
  deleteDevice: ['', 'member', 'manage:firmware'],

  // Publishing
  publishCfg: ['[PER-10]', 'member', 'manage:cfg'],
  publishLibraryVersion: ['[PER-10]', 'member', 'manage:cfg'],
  publishCodeRules: ['[PER-10]', 'member', 'manage:cfg'],
  reapplyConfiguration: ['', 'member', 'manage:cfg'],
  previewReapplyConfiguration: ['', 'member', 'manage:cfg'],
  publishToZones: any,
  previewPublication: any,
  uploadScript: ['', 'member', 'manage:cfg'],
  uploadFirmware: ['', 'member', 'manage:firmware'],
  getDeviceConfiguration: ['[PER-21]', 'member'],
  getDefaultCodeRules: ['', 'person'],
  publishFirmwareVersion: ['[PER-11]', 'member', 'manage:firmware'],
  publishFirmwareFile: ['[PER-11]', 'member', 'manage:firmware'],
  reapplyFirmware: ['', 'member', 'manage:firmware'],
  previewReapplyFirmware: ['', 'member', 'manage:firmware'],
  getDeviceFirmware: ['[PER-21]', 'member'],
  getZoneFirmware: ['[PER-21]', 'member'],
  listRunningFirmware: ['[PER-21]', 'member'],
  listAvailableFirmware: ['', 'person'],
  listFirmwareReleases: ['', 'staff', 'global:access:organizations'],
  uploadFirmwareRelease: ['[PER-16]', 'staff', 'global:access:organizations'],
  offerFirmwareRelease: ['', 'staff', 'global:access:organizations'],
  deleteFirmwareRelease: ['', 'staff', 'global:access:organizations'],

  // Rollouts, their times and the calendar
  listRollouts: ['[PER-21]', 'member'],
  streamRollouts: ['[PER-21]', 'member'],
  getRolloutChoices: ['[PER-21]', 'member'],
  getRollout: ['[PER-21]', 'member'],
  previewRollBack: any,
  previewRetry: any,
  streamRollout: ['[PER-21]', 'member'],
  listRolloutParts: ['[PER-21]', 'member'],
  listRolloutRuns: ['[NOW-02]', 'member'],
  listRolloutReaders: ['[PER-21]', 'member'],
  haltRollout: any,
  resumeRollout: any,
  retryRollout: any,
  rollBackRollout: any,
  nameRollout: any,
  setSafetyLimit: any,
  previewMove: any,
  startRollout: any,
  moveRollout: any,
  getCalendar: any,
  getSchedule: any,
  setSchedule: windows,
  setZoneSchedule: windows,
  setPublishingDefaults: windows,
  getPublishingDefaults: any,
  beginPhase: any,

  // Devices
  getDeviceTotals: ['[PER-21]', 'member'],
  getModelTotals: ['[PER-21]', 'member'],
  listDevices: ['[PER-21]', 'member'],
  getDevice: ['[PER-21]', 'member'],
  listDeviceEvents: ['[PER-21]', 'member'],
  downloadDevices: ['[PER-21]', 'member'],
  downloadDevicesWorkbook: ['[PER-21]', 'member'],

  // The audit log
  listAuditEntries: ['[PER-13]', 'member', 'access:audit_log'],
  listDeviceAuditEntries: ['[PER-13]', 'member', 'access:audit_log'],
  getAuditChoices: ['[PER-13]', 'member', 'access:audit_log'],
  downloadAuditLog: ['[PER-13]', 'member', 'access:audit_log'],
  listVendorAuditEntries: ['', 'staff', 'global:access:organizations', 'access:audit_log'],
  getVendorAuditChoices: ['', 'staff', 'global:access:organizations', 'access:audit_log'],
  downloadVendorAuditLog: ['', 'staff', 'global:access:organizations', 'access:audit_log'],

  // Configurations and the library
  listConfigs: ['', 'person'],
  listCompanyConfigs: ['', 'person'],
  getConfig: ['', 'person'],
  createConfig: ['[MAY-01]', 'holder', 'manage:cfg'],
  editConfig: ['[MAY-01]', 'holder', 'manage:cfg'],
  deleteConfig: ['[MAY-01]', 'holder', 'manage:cfg'],
  getCatalogue: ['', 'person'],
  listAgentFiles: ['[AGT-12]', 'person'],
  downloadAgentFile: ['[AGT-12]', 'anyone'],
  listSavedConfigurations: named,
  saveConfiguration: named,
  deleteSavedConfiguration: named,
  listLibrary: any,
  createLibraryEntry: any,
  getLibraryEntry: any,
  updateLibraryEntry: any,
  deleteLibraryEntry: any,
  listDeletedLibraryEntries: any,
  restoreLibraryEntry: any,
  addLibraryVersion: any,
  getLibraryVersion: any,
  getRunningConfiguration: any,
  makeGoCode: ['', 'person'],
  listSettingCategories: ['', 'person'],
  listBarcodeSettings: ['', 'person'],
  downloadSettingsReport: ['', 'person'],
  downloadFullSettingsReport: ['', 'person'],

  // Host PCs
  enrollHost: ['', 'licence'],
  checkIn: ['', 'host'],
  getDesired: ['', 'host'],
  downloadContent: ['', 'host'],
  reportOutcomes: ['', 'host'],
  reportProgress: ['', 'host'],
  streamDesired: ['', 'host'],

  // Licences and registered readers
  listLicences: ['[PER-21]', 'member'],
  listLicenceTypes: ['[PER-21]', 'member'],
  createLicence: ['[PPL-07]', 'member', 'manage:licences'],
  generateLicence: ['[PPL-07]', 'member', 'manage:licences'],
  getLicence: ['[PER-21]', 'member'],
  listLicenceHosts: ['', 'member'],
  revokeLicence: ['[PPL-07]', 'member', 'manage:licences'],
  listReaders: ['', 'person'],
  createReader: ['[MAY-01]', 'holder', 'manage:firmware'],
  getReader: ['', 'person'],
  updateReader: ['[MAY-01]', 'holder', 'manage:firmware'],
  deleteReader: ['[MAY-01]', 'holder', 'manage:firmware'],
  listDeskRecords: ['[DSK-02]', 'member'],
  createDeskRecord: ['[DSK-02]', 'member', 'manage:cfg'],
  getDeskRecord: ['[DSK-02]', 'member'],
  withdrawDeskRecord: ['[DSK-02]', 'member', 'manage:cfg'],
  downloadDeskRecords: ['[DSK-02]', 'member'],
  getDeskKey: ['[DSK-03]', 'member', 'manage:cfg'],
  getScannerAppUser: ['', 'person'],
  saveScannerAppUser: ['', 'person'],

  // Charts
  getDevicesByTime: ['[PER-21]', 'member'],
  getDeviceModels: ['[PER-21]', 'member'],
  getDevicesByOs: ['[PER-21]', 'member'],
  getDevicesByLocation: ['[PER-21]', 'member'],
  getLicenceCounts: ['[PER-21]', 'member'],
  getGlobalDevicesByTime: ['[PER-17]', 'staff', 'global:access:analytics'],
  getGlobalDeviceModels: ['[PER-17]', 'staff', 'global:access:analytics'],
  getGlobalDevicesByOs: ['[PER-17]', 'staff', 'global:access:analytics'],
  getGlobalDevicesByLocation: ['[PER-17]', 'staff', 'global:access:analytics'],
  getGlobalLicenceCounts: ['[PER-17]', 'staff', 'global:access:analytics'],
  getSimulatedReaders: ['', 'staff', 'global:access:analytics'],
  logDevices: ['', 'person'],
}

const server = await serverForFile()
const organization = await server.organization()
const rows = Object.entries(callers) as [EndpointName, Row][]

/** Something for every part of a call, whether the endpoint has it or not, as access is judged before any of it. */
const argumentsFor = (organizationId: string, id = organization.groupId): CallArguments => ({
  params: {
    organizationId,
    organization: organizationId,
    id,
    location: uuidv7(),
    device: 'A271/2',
    host: uuidv7(),
    hash: 'a'.repeat(64),
    address: 'nobody@people.example',
  },
})

const bodiless = (body: unknown) => ({ ...(body as object), instance: 'the request' })

const member = (permissions: readonly Permission[] = []) => server.person({ organization, permissions })

test('the table of who may call what has every endpoint of the contract, and no other', () => {
  expect(Object.keys(callers).sort()).toEqual(Object.keys(endpoints).sort())
})

describe.each(rows)('%s', (name, [rule, who, ...needed]) => {
  const { path, method } = endpoints[name]
  const claim = rule === '' ? '' : `${rule} `
  const status = async (token?: string, organizationId = organization.id) =>
    (await server.call(name, argumentsFor(organizationId), { token })).status

  if (who === 'anyone') {
    // This server has no file of the agent, and says so to anyone.
    const expected = name === 'downloadAgentFile' ? 404 : 200
    test(`${claim}answers nobody`, async () => expect(await status()).toBe(expected))
    return
  }

  test('[PER-18] refuses nobody, and what is no bearer credential', async () => {
    const { status, problem, headers } = await server.call(name, argumentsFor(organization.id))
    expect(status).toBe(401)
    expect(problem).toMatchObject({ status: 401, title: 'Not signed in' })
    expect(headers.get('content-type')).toContain('application/problem+json')
    const basic = await server.call(name, argumentsFor(organization.id), { headers: { authorization: 'Basic YTpi' } })
    expect(basic.status).toBe(401)
  })

  if (method !== 'GET')
    test('[PER-18] refuses an unknown caller before it reads the body', async () => {
      const { url } = toRequest(endpoints[name], argumentsFor(organization.id))
      const answer = await server.fetch(url, { method, body: '{ broken', headers: { 'content-type': 'application/json' } })
      expect(answer.status).toBe(401)
    })

  if (who === 'host' || who === 'licence') {
    test('[PER-18 PER-19] refuses a person', async () => {
      expect(await status((await member(Permission.options)).token)).toBe(401)
    })

    test(`[PER-18] refuses a ${who === 'host' ? 'licence' : 'host'}`, async () => {
      const credential = who === 'host' ? await server.licence(organization) : (await server.host(await server.zone())).credential
      expect(await status(credential)).toBe(401)
    })
    return
  }

  test('[PER-18 PER-19] refuses a host and a licence', async () => {
    const zone = await server.zone()
    expect(await status((await server.host(zone)).credential)).toBe(401)
    expect(await status(await server.licence(organization))).toBe(401)
  })

  if (who === 'holder') {
    test(`${claim}refuses a member who has all other permissions`, async () => {
      const { status, problem } = await (await member(customerPermissions.filter((permission) => !needed.includes(permission)))).call(
        name,
        argumentsFor(organization.id),
      )
      const ofCustomers = needed.filter((permission) => !permission.startsWith('global:'))
      const names = ofCustomers.map((permission) => `“${labels[permission]}”`).join(', ')
      const sentence = ofCustomers.length === 1 ? `the permission ${names}` : `one of the permissions ${names}`
      expect({ status, detail: problem.detail }).toEqual({ status: 403, detail: `This needs ${sentence}.` })
    })

    test.each(needed)(`${claim}lets in who has %s`, async (permission) => {
      expect([401, 403]).not.toContain(await status((await member([permission])).token))
    })
  }

  for (const missing of who === 'holder' ? [] : needed)
    test(`${claim}refuses a member without ${missing}`, async () => {
      const isHeld = (permission: Permission) => needed.includes(permission) || !permission.startsWith('global:')
      const person = await member(Permission.options.filter((permission) => permission !== missing && isHeld(permission)))
      const { status, problem } = await person.call(name, argumentsFor(organization.id))
      expect({ status, detail: problem.detail }).toEqual({ status: 403, detail: `This needs the permission “${labels[missing]}”.` })
    })

  if (who !== 'holder')
    test(`${claim}lets in a member with ${needed.join(' and ') || 'no permission'}`, async () => {
      expect([401, 403]).not.toContain(await status((await member(needed)).token))
    })

  if (path.startsWith('/api/lectern/group/{id}') && (who === 'person' || who === 'holder')) {
    test("[PER-20] answers another organization's group as one that does not exist", async () => {
      const stranger = await server.person({ organization: await server.organization(), permissions: customerPermissions })
      const bodies = { renameGroup: { name: 'Mine' }, setGroupProducts: { productIds: [2] } } as Record<string, unknown>
      const answer = async (id: number) =>
        (await stranger.call(name, { ...argumentsFor(organization.id, id), ...(name in bodies ? { body: bodies[name] } : {}) })).problem
      const [foreign, unknown] = [await answer(organization.groupId), await answer(2_147_483_647)]
      expect(foreign).toMatchObject({ status: 404, detail: 'There is no such group.' })
      expect(bodiless(foreign)).toEqual(bodiless(unknown))
    })
  }

  if (!path.includes('{organizationId}')) return

  test('[PER-20] answers another organization as one that does not exist', async () => {
    const stranger = await server.person({ organization: await server.organization(), permissions: ['manage:cfg', 'manage:firmware'] })
    const foreign = await stranger.call(name, argumentsFor(organization.id))
    const unknown = await stranger.call(name, argumentsFor(uuidv7()))
    expect([foreign.status, unknown.status]).toEqual([404, 404])
    expect(bodiless(foreign.problem)).toEqual(bodiless(unknown.problem))
    const nowhere = await server.person({ permissions: ['manage:cfg', 'manage:firmware'] })
    expect(bodiless((await nowhere.call(name, argumentsFor(organization.id))).problem)).toEqual(bodiless(unknown.problem))
  })

  test("[PER-20] lets the vendor's staff in, and tells them which organization does not exist", async () => {
    const staff = await server.person({ permissions: [...needed, 'global:access:organizations'] })
    const { problem } = await staff.call(name, argumentsFor(organization.id))
    expect(problem?.detail ?? '').not.toContain('organization')
    const unknown = await staff.call(name, argumentsFor(uuidv7()))
    expect([unknown.status, unknown.problem.detail]).toEqual([404, 'There is no such organization.'])
    const strange = await staff.call(name, argumentsFor('\0'))
    expect(strange.status).toBe(404)
  })
})

test('an endpoint without access does not compile', () => {
  const { getLiveness } = endpoints
  // @ts-expect-error Property 'access' is missing
  const endpoint: Endpoint = { method: getLiveness.method, path: '/', summary: 'Says nothing of who may call it', shows: [] }
  expect(endpoint).not.toHaveProperty('access')
})
