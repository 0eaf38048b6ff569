import { type EndpointName, endpoints } from '@lectern/contract/endpoints.ts'
import { customerPermissions } from '@lectern/contract/http/permissions.ts'
import type { CallArguments } from '@lectern/contract/http/request.ts'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'
import { deskRecord, reader } from './testing/makers.ts'
import { serverForFile } from './testing/server.ts'

/**
 * What a role that is limited to zones gets:
 * `refused` · `everything` that a role without a limit gets · `zones`: of lists, counts and files what is in its zones · `404` beside: what it names must be
 * in its zones · `nobody`: no member calls it.
 */
type Row = readonly ['refused' | 'everything' | 'nobody'] | readonly ['zones', ...foreign: 404[]]

const refused: Row = ['refused']
const everything: Row = ['everything']
const zones: Row = ['zones']
const named: Row = ['zones', 404]
const nobody: Row = ['nobody']

/** Every endpoint, written by hand from the table of decision 47. */
const limits: Record<EndpointName, Row> = {
  getLiveness: nobody,
  getReadiness: nobody,
  getPublicSettings: nobody,
  getVendorKeys: nobody,
  listAgentFiles: everything,
  downloadAgentFile: nobody,
  enrollHost: nobody,
  checkIn: nobody,
  getDesired: nobody,
  downloadContent: nobody,
  reportOutcomes: nobody,
  reportProgress: nobody,
  streamDesired: nobody,
  listAllOrganizations: nobody,
  getDirectoryTotals: nobody,
  markOrganization: nobody,
  deleteGroup: nobody,
  createProduct: nobody,
  updateProduct: nobody,
  createAd: nobody,
  updateAd: nobody,
  deleteAd: nobody,
  listAllCases: nobody,
  listFirmwareReleases: nobody,
  uploadFirmwareRelease: nobody,
  offerFirmwareRelease: nobody,
  deleteFirmwareRelease: nobody,
  listVendorAuditEntries: nobody,
  getVendorAuditChoices: nobody,
  downloadVendorAuditLog: nobody,
  getGlobalDevicesByTime: nobody,
  getGlobalDeviceModels: nobody,
  getGlobalDevicesByOs: nobody,
  getGlobalDevicesByLocation: nobody,
  getGlobalLicenceCounts: nobody,
  getSimulatedReaders: nobody,

  getCurrentUser: everything,
  updateCurrentUser: everything,
  setActiveOrganization: everything,
  listRegistrationTasks: everything,
  registerUser: everything,
  registerOrganization: everything,
  joinGroup: everything,
  leaveOrganization: everything,
  listManagers: everything,
  listProducts: everything,
  getProduct: everything,
  listCountries: everything,
  listAds: everything,
  getAd: everything,
  listCases: everything,
  getCase: everything,
  verifyAddress: everything,
  createCase: everything,
  updateCase: everything,
  deleteCase: everything,
  getDefaultCodeRules: everything,
  listAvailableFirmware: everything,
  listConfigs: everything,
  listCompanyConfigs: everything,
  getConfig: everything,
  createConfig: refused,
  editConfig: refused,
  deleteConfig: refused,
  getCatalogue: everything,
  makeGoCode: everything,
  listSavedConfigurations: everything,
  saveConfiguration: everything,
  deleteSavedConfiguration: everything,
  listLibrary: everything,
  createLibraryEntry: everything,
  getLibraryEntry: everything,
  updateLibraryEntry: everything,
  listDeletedLibraryEntries: everything,
  restoreLibraryEntry: everything,
  deleteLibraryEntry: everything,
  addLibraryVersion: everything,
  getLibraryVersion: everything,
  listSettingCategories: everything,
  listBarcodeSettings: everything,
  downloadSettingsReport: everything,
  downloadFullSettingsReport: everything,
  getScannerAppUser: everything,
  saveScannerAppUser: everything,
  logDevices: everything,

  getOrganization: refused,
  listOrganizationUsers: refused,
  listGroups: refused,
  createGroup: refused,
  getGroup: refused,
  renameGroup: refused,
  setGroupProducts: refused,
  listMembers: refused,
  changeMemberRole: refused,
  changeMemberGroup: refused,
  removeMember: refused,
  listInvitations: refused,
  createInvitation: refused,
  resendInvitation: refused,
  revokeInvitation: refused,
  listRoles: refused,
  getRole: refused,
  createRole: refused,
  updateRole: refused,
  deleteRole: refused,
  getSignInRule: refused,
  setSignInRule: refused,
  listRecoveries: refused,
  confirmRecovery: refused,
  refuseRecovery: refused,
  createZone: refused,
  listLicences: refused,
  listLicenceTypes: refused,
  createLicence: refused,
  generateLicence: refused,
  getLicence: refused,
  listLicenceHosts: refused,
  revokeLicence: refused,
  listReaders: refused,
  createReader: refused,
  getReader: refused,
  updateReader: refused,
  deleteReader: refused,
  withdrawDeskRecord: refused,
  createDeskRecord: everything,
  getDeskKey: everything,
  listDeskRecords: zones,
  getDeskRecord: named,
  downloadDeskRecords: zones,
  getDevicesByTime: refused,
  getDeviceModels: refused,
  getDevicesByOs: refused,
  getDevicesByLocation: refused,
  getLicenceCounts: refused,

  getOrganizationSummary: zones,
  listTags: zones,
  listZoneSelection: zones,
  tagZones: zones,
  listLocations: zones,
  listZones: zones,
  listZoneOverviews: zones,
  deleteZone: named,
  setZoneNote: named,
  removeHost: named,
  publishCfg: named,
  publishCodeRules: named,
  reapplyConfiguration: named,
  previewReapplyConfiguration: named,
  getDeviceConfiguration: named,
  publishLibraryVersion: named,
  getRunningConfiguration: named,
  publishFirmwareVersion: named,
  publishFirmwareFile: named,
  reapplyFirmware: named,
  previewReapplyFirmware: named,
  getDeviceFirmware: named,
  publishToZones: zones,
  previewPublication: zones,
  uploadScript: everything,
  uploadFirmware: everything,
  getZoneFirmware: named,
  listRunningFirmware: named,
  listRollouts: zones,
  getRollout: named,
  streamRollout: named,
  listRolloutParts: named,
  listRolloutRuns: named,
  listRolloutReaders: named,
  streamRollouts: zones,
  getRolloutChoices: zones,
  haltRollout: named,
  nameRollout: named,
  resumeRollout: named,
  retryRollout: named,
  rollBackRollout: named,
  setSafetyLimit: named,
  previewRollBack: named,
  previewRetry: named,
  getDeviceTotals: zones,
  getModelTotals: zones,
  listDevices: zones,
  downloadDevices: zones,
  downloadDevicesWorkbook: zones,
  getDevice: named,
  deleteDevice: named,
  listDeviceEvents: named,
  getCalendar: zones,
  getSchedule: zones,
  setSchedule: refused,
  setZoneSchedule: refused,
  previewMove: named,
  startRollout: named,
  moveRollout: named,
  beginPhase: named,
  getPublishingDefaults: everything,
  setPublishingDefaults: refused,
  listAuditEntries: zones,
  listDeviceAuditEntries: zones,
  getAuditChoices: zones,
  downloadAuditLog: zones,
}

const server = await serverForFile()
const { db } = server.app
const organization = await server.organization()
const organizationId = organization.id
const manager = await server.person({ organization, permissions: customerPermissions })

/**
 * A zone of which everything begins with a name, with readers of a model, and a rollout and a firmware file under way, each of which failed
 * on one reader.
 */
async function makeZone(name: string, deviceType: 'CR2700' | 'CR1500', version: string, publisher = manager) {
  const zone = await server.zone(`${name} zone`, organization)
  const host = await server.host(zone, `${name} host`)
  await host.checkIn([reader(`${name}-1`, { deviceType, firmware: version }), reader(`${name}-2`, { deviceType, firmware: version })])
  const rollout = uuidv7()
  const params = { organizationId, location: zone.id, device: deviceType }
  const file = new File(['function rules_onDecode(data) { return data }'], `${name}.js`)
  await publisher.call('publishCodeRules', { params, file, fields: { when: 'now', rollout } })
  const firmware = new File(['firmware'], `${name}.crvfw`)
  await manager.call('publishFirmwareFile', { params, file: firmware, fields: { updateTime: '02:00' } })
  const { configurations, firmware: files } = (await host.call('getDesired')).body
  const failed = { serialNumber: `${name}-1`, outcome: 'failed', reason: 'Locked.', at: new Date().toISOString() }
  const outcomes = [...configurations, ...files].map(({ publication }) => ({ publication, ...failed }))
  await host.call('reportOutcomes', { body: { outcomes } })
  const blockedDays = [{ name: `Holiday of ${name}`, from: '2027-01-01', to: '2027-01-01' }]
  await manager.call('setZoneSchedule', { params, body: { windows: null, blockedDays } })
  await manager.call('setZoneNote', { params, body: { note: `Note of ${name}` } })
  await manager.call('tagZones', { params: { organizationId }, body: { zones: [zone.id], add: [`Tag of ${name}`] } })
  // Under the rollout's id, as all calls name one id.
  await manager.call('createDeskRecord', {
    params,
    body: deskRecord({ id: rollout, serialNumber: `${name}-1`, typed: `Typed by ${name}` }),
  })
  return { zone, hostId: host.hostId, serial: `${name}-1`, device: deviceType, rollout }
}

const colleague = await server.person({ organization, permissions: customerPermissions, email: 'foreign@people.example' })
const own = await makeZone('Own', 'CR2700', '4.1.1')
const foreign = await makeZone('Foreign', 'CR1500', '3.3.3', colleague)
await manager.call('createGroup', { body: { name: 'Foreign group' } })
await db
  .insertInto('device')
  .values({ organization_id: organization.key, serial_number: 'FOREIGN-3', device_type: 'CR1500', last_seen_at: new Date() })
  .execute()

for (const device_type of ['CR2700', 'CR1500'])
  await db
    .insertInto('firmware_release')
    .values({
      id: uuidv7(),
      device_type,
      version: '9.0.0',
      version_order: '9',
      notes: '',
      file_name: 'f.crvfw',
      content_hash: 'a',
      size: 1,
      created_by: '',
    })
    .execute()

const saved = await manager.call('createLibraryEntry', {
  params: { organizationId: organization.id },
  body: { name: 'Ward', device: 'CR2700', content: { kind: 'cfg', text: '<cfg></cfg>' } },
})
const member = await server.limitedPerson(organization, [own.zone], ['manage:cfg', 'manage:firmware', 'access:audit_log'])

const bodies: Partial<Record<EndpointName, CallArguments>> = {
  setZoneNote: { body: { note: 'Changed' } },
  publishLibraryVersion: { body: { configurationId: saved.body.id, version: 1, when: 'now' } },
  publishCfg: { body: { cfg: '<cfg></cfg>', when: 'now' } },
  publishCodeRules: { file: new File(['function rules_onDecode(data) { return data }'], 'rules.js'), fields: { when: 'now' } },
  publishFirmwareVersion: { body: { firmwareVersion: 'latest', when: 'now' } },
  publishFirmwareFile: { file: new File(['firmware'], 'new.crvfw'), fields: { when: 'now' } },
  rollBackRollout: { body: { updateTime: null } },
  getCalendar: { query: { from: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10) } },
  startRollout: { body: {} },
  nameRollout: { body: { name: 'Go-live' } },
  moveRollout: { body: { date: new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10), updateTime: '03:00' } },
  setSafetyLimit: { body: { haltAbovePercent: 5, stopTime: null, forLater: false } },
}

const argumentsFor = (name: EndpointName, of: typeof own): CallArguments => ({
  params: {
    organizationId,
    organization: organizationId,
    customerid: organizationId,
    connectstatus: 'all',
    location: of.zone.id,
    host: of.hostId,
    serialNumber: of.serial,
    device: of.device,
    deviceName: of.device,
    id: of.rollout,
    hash: 'a'.repeat(64),
    roleId: 'viewer',
    phase: 2,
    memberId: uuidv7(),
    invitationId: uuidv7(),
    address: 'nobody@people.example',
    name: 'x',
    cid: '1',
  },
  ...bodies[name],
})

const call = (name: EndpointName, of = own) => member.call(name, argumentsFor(name, of))
const entries = Object.entries(limits) as [EndpointName, Row][]
const only = (limit: Row[0]) => entries.filter(([, [one]]) => one === limit).map(([name]) => name)

test('[PPL-04] the table has every endpoint of the contract, and no other', () => {
  expect(Object.keys(limits).sort()).toEqual(Object.keys(endpoints).sort())
})

test.each(only('refused'))('[PPL-04] %s is refused to a role that is limited to zones', async (name) => {
  const { status, problem } = await call(name)
  const sentence = `Your role is limited to zones, and this concerns the whole organization. Ask ${manager.email}, ${colleague.email}, or `
  expect([status, problem.detail?.startsWith(sentence)]).toEqual([403, true])
})

test.each(only('everything').filter((name) => name !== 'leaveOrganization'))(
  '[PPL-04] %s is for a role that is limited to zones what it is for others',
  async (name) => {
    const [limited, whole] = [await call(name), await manager.call(name, argumentsFor(name, own))]
    expect(limited.problem?.detail ?? '').not.toContain('limited to zones')
    expect(limited.status).toBe(whole.status)
  },
)

describe('[PPL-04] of its zones, and of no other, a role that is limited to them has', () => {
  const reads = only('zones').filter((name) => endpoints[name].method === 'GET' && !name.startsWith('streamRollout'))
  test.each(reads)('%s', async (name) => {
    const { status, text } = await call(name)
    expect(status).toBe(200)
    expect(text).not.toMatch(/foreign|CR1500|3\.3\.3/i)
    // Who sees all gets both.
    const whole = await manager.call(name, argumentsFor(name, own))
    expect(whole.status).toBe(200)
    if (limits[name].length === 1 && name !== 'listDeviceAuditEntries' && name !== 'getModelTotals') expect(whole.text).not.toBe(text)
  })

  test('[PPL-04] its totals are sums over its zones', async () => {
    expect((await call('getDeviceTotals')).body).toMatchObject({ allDevices: 2, offline: 0 })
    expect((await manager.call('getDeviceTotals', { params: { organizationId } })).body).toMatchObject({ allDevices: 5 })
    expect((await call('getModelTotals')).body).toMatchObject({ readers: 2, zones: 1 })
    expect((await call('getModelTotals', foreign)).body).toMatchObject({ readers: 0, zones: 0 })
    expect((await call('getOrganizationSummary')).body).toMatchObject({ zones: 1, readers: 2, models: 1 })
    expect((await call('listDevices')).body).toMatchObject({ totalCount: 2 })
    expect((await call('listRollouts')).body).toMatchObject({ totalCount: 2 })
  })
})

describe('[PPL-04] what is not in its zones does not exist for it', () => {
  test.each(entries.filter(([, [limit, missing]]) => limit === 'zones' && missing === 404).map(([name]) => name))('%s', async (name) => {
    const { status, problem } = await call(name, foreign)
    expect(status).toBe(404)
    expect(problem.detail).toMatch(/^There is no such (zone|host|reader|rollout|record)\./)
  })

  test('nor in a search, by a filter, or in the log of a reader', async () => {
    for (const textFilter of ['foreign', 'CR1500', 'Foreign zone', 'o'])
      expect((await member.call('listDevices', { params: { organizationId }, query: { textFilter } })).text).not.toMatch(/foreign/i)
    const params = { organizationId, id: own.rollout }
    const readers = await member.call('listRolloutReaders', { params, query: { zone: foreign.zone.id } })
    expect(readers.body).toMatchObject({ readerList: [], totalCount: 0 })
    expect((await call('listDeviceAuditEntries', foreign)).text).toBe('[]')
    const log = await member.call('listAuditEntries', { params: { organizationId }, query: { zone: 'Foreign zone', PageSize: 10 } })
    expect(log.body).toMatchObject({ entryList: [], totalCount: 0 })
  })
})
