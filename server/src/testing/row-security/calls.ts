import type { EndpointName, Endpoints } from '@lectern/contract/endpoints.ts'
import { uuidv7 } from 'uuidv7'
import { deskRecord } from '../makers.ts'
import type { Ids } from './fixture.ts'

/** The arguments of a call, made from ids. */
export type Arguments = (ids: Ids) => object

const at = (ids: Ids, more: object = {}) => ({ organizationId: ids.organizationId, ...more })
const ofOrganization = (ids: Ids) => ({ params: at(ids) })
const ofZone = (ids: Ids, device?: string) => at(ids, { location: ids.location, ...(device && { device }) })
const ofReader = (ids: Ids) => ({ params: at(ids, { serialNumber: ids.serialNumber }) })
const ofRollout = (body?: object) => (ids: Ids) => ({ params: at(ids, { id: ids.rollout }), ...(body && { body }) })
const ofLicence = (ids: Ids) => ({ params: at(ids, { id: ids.licenceId }) })
const asked = (query: object) => (ids: Ids) => ({ ...ofOrganization(ids), query })
const page = { PageNumber: 0, PageSize: 20 }
const cfg = { cfg: '<cfg>new</cfg>', when: 'now' }
const saved = { kind: 'commands', commands: ['SYAZTCSEN0'] }

const publishing = (zones: object) => ({
  key: uuidv7(),
  zones,
  when: { now: true },
  withoutHost: true,
  parts: [{ model: 'CR2700', content: { kind: 'cfg', text: '<cfg>new</cfg>' } }],
})

/** So many days from now, so that the day is ahead on every clock. */
const today = (later = 0) => new Date(Date.now() + later * 86_400_000).toISOString().slice(0, 10)

const ofNobody = 'it concerns no organization, and anyone may call it'
const ofVendor = 'the vendor’s staff see all organizations'
const ofAll = 'it reads what is the same for all organizations'
const ofPerson = 'it reads and writes records of the caller alone, which belong to no organization'

/** The calls of an organization's members, host PCs and licence numbers. None of these can be left out. */
type OfOrganizations = {
  [Name in EndpointName]: Endpoints[Name]['access'] extends 'agent' | 'licence' | { organization: unknown } ? Name : never
}[EndpointName]

/** How every endpoint is called, often in several ways, or why it is not. It does not compile where one is missing. */
export const calls: Record<OfOrganizations, readonly Arguments[]> & Record<EndpointName, readonly Arguments[] | string> = {
  listRegistrationTasks: [() => ({})],
  getOrganization: [ofOrganization],
  getOrganizationSummary: [ofOrganization],
  listOrganizationUsers: [ofOrganization],
  listGroups: [() => ({})],
  createGroup: [() => ({ body: { name: 'New' } })],
  getGroup: [(ids) => ({ params: { id: ids.otherGroup } })],
  renameGroup: [
    (ids) => ({ params: { id: ids.groupId }, body: { name: 'Renamed' } }),
    (ids) => ({ params: { id: ids.otherGroup }, body: { name: 'Renamed' } }),
  ],
  setGroupProducts: [(ids) => ({ params: { id: ids.groupId }, body: { productIds: [2] } })],
  listMembers: [asked({ ...page, textFilter: 'manager' }), asked({ ...page, ColumnName: 'LastActivity', Direction: 'Descending' })],
  listManagers: [ofOrganization],
  changeMemberRole: [(ids) => ({ params: at(ids, { memberId: ids.memberId }), body: { roleId: ids.roleId } })],
  changeMemberGroup: [(ids) => ({ params: at(ids, { memberId: ids.memberId }), body: { groupId: ids.otherGroup } })],
  removeMember: [(ids) => ({ params: at(ids, { memberId: ids.memberId }) })],
  leaveOrganization: [ofOrganization],
  listInvitations: [asked(page)],
  createInvitation: [(ids) => ({ params: at(ids), body: { email: 'new@new.example', roleId: ids.roleId, groupId: ids.groupId } })],
  resendInvitation: [(ids) => ({ params: at(ids, { invitationId: ids.invitationId }) })],
  revokeInvitation: [(ids) => ({ params: at(ids, { invitationId: ids.invitationId }) })],
  listRoles: [ofOrganization],
  getRole: [(ids) => ({ params: at(ids, { roleId: ids.roleId }) })],
  createRole: [(ids) => ({ params: at(ids), body: { name: 'New', permissions: [] } })],
  updateRole: [(ids) => ({ params: at(ids, { roleId: ids.roleId }), body: { name: 'Changed', permissions: [] } })],
  deleteRole: [(ids) => ({ params: at(ids, { roleId: ids.roleId }) })],
  listLocations: [ofOrganization],
  listZones: [ofOrganization],
  listZoneOverviews: [ofOrganization],
  createZone: [(ids) => ({ params: at(ids, { location: 'New' }) })],
  deleteZone: [(ids) => ({ params: at(ids, { location: ids.emptyZone }) }), (ids) => ({ params: ofZone(ids) })],
  setZoneNote: [(ids) => ({ params: ofZone(ids), body: { note: 'New' } })],
  tagZones: [(ids) => ({ params: at(ids), body: { zones: [ids.location], add: ['New'], remove: ['Old'] } })],
  listTags: [ofOrganization],
  listZoneSelection: [ofOrganization],
  removeHost: [(ids) => ({ params: at(ids, { host: ids.hostId }) })],
  publishCfg: [
    (ids) => ({ params: ofZone(ids, 'CR2700'), body: { ...cfg, rollout: uuidv7() } }),
    (ids) => ({ params: ofZone(ids, 'CR2700'), body: { ...cfg, rollout: ids.rollout } }),
  ],
  publishLibraryVersion: [(ids) => ({ params: ofZone(ids, 'CR2700'), body: { configurationId: ids.entry, version: 1, when: 'now' } })],
  getRunningConfiguration: [(ids) => ({ params: ofZone(ids, 'CR2700') })],
  publishCodeRules: [(ids) => ({ params: ofZone(ids, 'CR2700'), file: new File(['rules_onDecode = (d) => d'], 'rules.js') })],
  publishFirmwareVersion: [(ids) => ({ params: ofZone(ids, 'V1300'), body: { firmwareVersion: 'latest' } })],
  publishFirmwareFile: [(ids) => ({ params: ofZone(ids, 'V1300'), file: new File(['new'], 'new.crbfw') })],
  publishToZones: [
    (ids) => ({ params: at(ids), body: publishing({ ids: [ids.location] }) }),
    (ids) => ({ params: at(ids), body: publishing({ filter: { search: 'zone', tags: [] } }) }),
  ],
  previewPublication: [(ids) => ({ params: at(ids), body: publishing({ filter: {} }) })],
  uploadScript: [(ids) => ({ params: at(ids), file: new File(['rules_onDecode = (d) => d'], 'rules.js') })],
  uploadFirmware: [(ids) => ({ params: at(ids), file: new File(['new'], 'new.crbfw') })],
  getDeviceConfiguration: [ofReader],
  reapplyConfiguration: [ofReader],
  previewReapplyConfiguration: [ofReader],
  getZoneFirmware: [(ids) => ({ params: ofZone(ids, 'V1300') })],
  listRunningFirmware: [(ids) => ({ params: ofZone(ids, 'CR2700') })],
  getDeviceFirmware: [ofReader],
  reapplyFirmware: [ofReader],
  previewReapplyFirmware: [ofReader],
  listRollouts: [
    asked(page),
    ...['failed', 'underWay', 'scheduled'].map((state) => asked({ ...page, state })),
    (ids) => asked({ ...page, zone: ids.location, textFilter: 'cfg', model: 'CR2700' })(ids),
  ],
  getRolloutChoices: [ofOrganization],
  getRollout: [ofRollout()],
  listRolloutRuns: [ofRollout()],
  listRolloutParts: [ofRollout(), (ids) => ({ ...ofRollout()(ids), query: { ...page, state: 'scheduled', ColumnName: 'Left' } })],
  listRolloutReaders: [
    ...['applied', 'downloading', 'waiting', 'silent', 'failed', 'replaced', undefined].map((state) => (ids: Ids) => ({
      ...ofRollout()(ids),
      query: { ...page, ...(state && { state }) },
    })),
    (ids) => ({ ...ofRollout()(ids), query: { ...page, zone: ids.location, textFilter: '-1' } }),
    (ids) => ({ ...ofRollout()(ids), query: { ...page, phase: 1 } }),
  ],
  haltRollout: [ofRollout()],
  resumeRollout: [ofRollout()],
  retryRollout: [ofRollout()],
  previewRollBack: [ofRollout()],
  previewRetry: [ofRollout()],
  previewMove: [ofRollout(), (ids) => ({ ...ofRollout()(ids), query: { zone: ids.location } })],
  rollBackRollout: [ofRollout({ updateTime: null })],
  getPublishingDefaults: [ofOrganization],
  beginPhase: [(ids) => ({ params: { ...ofRollout()(ids).params, phase: 2 } })],
  nameRollout: [ofRollout({ name: 'Go-live' })],
  setSafetyLimit: [ofRollout({ haltAbovePercent: 50, stopTime: null, forLater: true })],
  getDeviceTotals: [ofOrganization],
  getModelTotals: [(ids) => ({ params: at(ids, { device: 'CR2700' }) })],
  listDevices: [
    ...['DeviceSerialNumber', 'Zone', 'Host', 'LastSeen', 'CurrentFirmware', 'BatteryHealth'].map((ColumnName) =>
      asked({ ...page, ColumnName, Direction: 'Ascending' }),
    ),
    ...['onlyBadBattery', 'onlyOffline', 'onlyWarrantyExpired', 'onlyDrifted'].map((only) => asked({ [only]: true })),
    asked({ ...page, textFilter: '-2' }),
  ],
  getDevice: [ofReader],
  deleteDevice: [ofReader],
  downloadDevices: [ofOrganization],
  downloadDevicesWorkbook: [ofOrganization],
  listAuditEntries: [ofOrganization, asked({ textFilter: 'zone', person: 'manager' })],
  listDeviceAuditEntries: [ofReader],
  getAuditChoices: [ofOrganization],
  downloadAuditLog: [ofOrganization],
  listConfigs: [() => ({})],
  getConfig: [(ids) => ({ params: { id: ids.configId } })],
  createConfig: [() => ({ query: { collection: 'new' }, body: { configName: 'New', configString: 'text' } })],
  editConfig: [(ids) => ({ query: { id: ids.configId, collection: ids.collection }, body: { configName: 'Changed' } })],
  deleteConfig: [(ids) => ({ query: { id: ids.configId, collection: ids.collection } })],
  listSavedConfigurations: [ofOrganization],
  saveConfiguration: [
    (ids) => ({ params: at(ids, { deviceName: 'CR2700', name: 'New' }), body: ['SYAZTCSEN1'] }),
    (ids) => ({ params: at(ids, { deviceName: 'CR2700', name: ids.saved }), body: ['SYAZTCSEN1'] }),
  ],
  deleteSavedConfiguration: [(ids) => ({ params: at(ids, { device: 'CR2700', name: ids.saved }) })],
  listLibrary: [asked({ textFilter: 'saved aztec' })],
  createLibraryEntry: [
    (ids) => ({ params: at(ids), body: { name: 'New', device: 'CR2700', content: saved } }),
    (ids) => ({ params: at(ids), body: { name: ids.saved, device: 'CR2700', content: saved } }),
  ],
  getLibraryEntry: [(ids) => ({ params: at(ids, { id: ids.entry }) })],
  updateLibraryEntry: [(ids) => ({ params: at(ids, { id: ids.entry }), body: { name: 'Changed' } })],
  addLibraryVersion: [(ids) => ({ params: at(ids, { id: ids.entry }), body: { content: saved } })],
  getLibraryVersion: [(ids) => ({ params: at(ids, { id: ids.entry, number: 1 }) })],
  listDeletedLibraryEntries: [ofOrganization],
  restoreLibraryEntry: [(ids) => ({ params: at(ids, { id: ids.deleted }) })],
  deleteLibraryEntry: [(ids) => ({ params: at(ids, { id: ids.entry }) })],
  listLicences: [asked(page), asked({ ...page, textFilter: '-1' })],
  listLicenceTypes: [ofOrganization],
  createLicence: [
    (ids) => ({ params: at(ids), body: { serialNumbers: ['N'] } }),
    (ids) => ({ params: at(ids), body: { serialNumbers: ['N'], licenseNumber: ids.number } }),
  ],
  generateLicence: [(ids) => ({ params: at(ids), body: { serialNumbers: ['N'] } })],
  getLicence: [ofLicence],
  listLicenceHosts: [ofLicence],
  revokeLicence: [(ids) => ({ ...ofLicence(ids), body: { removeHosts: true } })],
  listReaders: [
    ...['all', 'connected', 'disconnected'].map((connectstatus) => (ids: Ids) => ({
      params: { customerid: ids.organizationId, connectstatus },
    })),
  ],
  createReader: [(ids) => ({ params: { customerid: ids.organizationId }, body: { sn: 'N' } })],
  getReader: [(ids) => ({ params: { id: ids.readerId } })],
  updateReader: [(ids) => ({ params: { id: ids.readerId }, body: { sn: ids.serialNumber, isLost: true } })],
  deleteReader: [(ids) => ({ params: { id: ids.readerId } })],
  listDeskRecords: [
    asked(page),
    (ids) => ({ params: at(ids), query: { ...page, serialNumber: ids.serialNumber, configuration: ids.entry } }),
  ],
  createDeskRecord: [
    (ids) => ({ params: at(ids), body: deskRecord({ id: uuidv7(), serialNumber: 'N' }) }),
    (ids) => ({
      params: at(ids),
      body: deskRecord({ id: ids.record, configuration: { id: ids.entry, version: 1, name: 'Saved', device: 'CR2700' } }),
    }),
  ],
  getDeskRecord: [(ids) => ({ params: at(ids, { id: ids.record }) })],
  withdrawDeskRecord: [(ids) => ({ params: at(ids, { id: ids.record }), body: { reason: 'Another reader' } })],
  downloadDeskRecords: [ofOrganization],
  getDeskKey: [ofOrganization],
  getDevicesByTime: [ofOrganization],
  getDeviceModels: [ofOrganization],
  getDevicesByOs: [ofOrganization],
  getDevicesByLocation: [ofOrganization],
  getLicenceCounts: [ofOrganization],
  logDevices: [(ids) => ({ body: { records: [{ deviceId: ids.serialNumber, model: 'TC58', at: new Date().toISOString(), decodes: 1 }] } })],
  checkIn: [
    (ids) => ({ body: { timeZone: 'UTC', agentVersion: '1.0.0', devices: [deviceReport(ids.other)] } }),
    (ids) => ({
      body: { timeZone: 'UTC', agentVersion: '1.0.0', devices: [{ ...deviceReport(ids.serialNumber), publication: ids.publication }] },
    }),
  ],
  getDesired: [() => ({})],
  downloadContent: [(ids) => ({ params: { hash: ids.content } })],
  reportOutcomes: [
    ({ publication, other }) => ({
      body: { outcomes: [{ publication, serialNumber: other, outcome: 'failed', reason: 'New.', at: new Date().toISOString() }] },
    }),
  ],
  reportProgress: [(ids) => ({ body: { progress: [{ publication: ids.publication, serialNumber: ids.other, percent: 60 }] } })],
  enrollHost: [
    (ids) => ({
      body: { zoneId: ids.location, hostName: 'NEW', timeZone: 'UTC', agentVersion: '1.0.0', credentialHash: 'b'.repeat(64) },
    }),
  ],
  getSignInRule: [ofOrganization],
  setSignInRule: [(ids) => ({ params: at(ids), body: { requiresPasskeys: false } })],
  listRecoveries: [ofOrganization],
  confirmRecovery: [(ids) => ({ params: at(ids, { recoveryId: ids.recovery }), body: { code: '123456' } })],
  refuseRecovery: [(ids) => ({ params: at(ids, { recoveryId: ids.recovery }) })],
  getSchedule: [ofOrganization],
  setSchedule: [(ids) => ({ params: at(ids), body: { windows: [], blockedDays: [] } })],
  setZoneSchedule: [(ids) => ({ params: ofZone(ids), body: { windows: null, blockedDays: [] } })],
  setPublishingDefaults: [(ids) => ({ params: at(ids), body: { haltAbovePercent: 50, stopTime: null, phases: [] } })],
  getCalendar: [asked({ from: today() })],
  startRollout: [(ids) => ({ params: at(ids, { id: ids.waiting }), body: {} })],
  moveRollout: [(ids) => ({ params: at(ids, { id: ids.waiting }), body: { date: today(2), updateTime: '03:00' } })],
  streamRollouts: [ofOrganization],
  streamRollout: [ofRollout()],
  listDeviceEvents: [ofReader],
  streamDesired: [() => ({})],

  getLiveness: ofNobody,
  getReadiness: ofNobody,
  getPublicSettings: ofNobody,
  getVendorKeys: ofNobody,
  downloadAgentFile: ofNobody,
  listAgentFiles: ofNobody,

  listAllOrganizations: ofVendor,
  getDirectoryTotals: ofVendor,
  markOrganization: ofVendor,
  deleteGroup: ofVendor,
  createProduct: ofVendor,
  updateProduct: ofVendor,
  createAd: ofVendor,
  updateAd: ofVendor,
  deleteAd: ofVendor,
  listAllCases: ofVendor,
  listFirmwareReleases: ofVendor,
  uploadFirmwareRelease: ofVendor,
  offerFirmwareRelease: ofVendor,
  deleteFirmwareRelease: ofVendor,
  listVendorAuditEntries: ofVendor,
  getVendorAuditChoices: ofVendor,
  downloadVendorAuditLog: ofVendor,
  getGlobalDevicesByTime: ofVendor,
  getGlobalDeviceModels: ofVendor,
  getGlobalDevicesByOs: ofVendor,
  getGlobalDevicesByLocation: ofVendor,
  getGlobalLicenceCounts: ofVendor,
  getSimulatedReaders: ofVendor,

  listProducts: ofAll,
  getProduct: ofAll,
  listCountries: ofAll,
  listAds: ofAll,
  getAd: ofAll,
  getDefaultCodeRules: ofAll,
  listAvailableFirmware: ofAll,
  getCatalogue: ofAll,
  makeGoCode: ofAll,
  listSettingCategories: ofAll,
  listBarcodeSettings: ofAll,
  downloadSettingsReport: ofAll,
  downloadFullSettingsReport: ofAll,

  getCurrentUser: ofPerson,
  updateCurrentUser: ofPerson,
  setActiveOrganization: ofPerson,
  registerUser: ofPerson,
  registerOrganization: ofPerson,
  joinGroup: ofPerson,
  listCases: ofPerson,
  getCase: ofPerson,
  verifyAddress: ofPerson,
  createCase: ofPerson,
  updateCase: ofPerson,
  deleteCase: ofPerson,
  listCompanyConfigs: ofPerson,
  getScannerAppUser: ofPerson,
  saveScannerAppUser: ofPerson,
}

const deviceReport = (serialNumber: string) => ({
  serialNumber,
  deviceType: 'CR2700',
  firmware: '5.0.0',
  configuration: null,
  batteryHealth: 70,
  warrantyUntil: '2030-01-31',
})
