import type { AuditChoices } from '@lectern/contract/audit/audit.ts'
import { type ChangeType, specifiedChangeTypes } from '@lectern/contract/audit/changes.ts'

const labels: Record<ChangeType, string> = {
  ZoneCreate: 'Zone created',
  ZoneDelete: 'Zone deleted',
  ZoneFirmwareChange: 'Zone firmware changed',
  ZoneConfigChange: 'Zone configuration changed',
  AdvancedConfigCreated: 'Configuration created',
  AdvancedConfigDeleted: 'Configuration deleted',
  FirmwareInstalled: 'Firmware installed',
  registerUser: 'Person registered',
  updateCurrentUser: 'Profile changed',
  registerOrganization: 'Organization registered',
  markOrganization: 'Organization marked',
  createGroup: 'Group created',
  renameGroup: 'Group renamed',
  setGroupProducts: 'Group products chosen',
  deleteGroup: 'Group deleted',
  joinGroup: 'Group joined',
  changeMemberRole: 'Role of a member changed',
  changeMemberGroup: 'Member moved to a group',
  removeMember: 'Member removed',
  leaveOrganization: 'Organization left',
  firstManager: 'First Manager found',
  setMemberRole: 'Role set on the server',
  createInvitation: 'Invitation sent',
  resendInvitation: 'Invitation sent again',
  revokeInvitation: 'Invitation revoked',
  createRole: 'Role created',
  updateRole: 'Role changed',
  deleteRole: 'Role deleted',
  setZoneNote: 'Zone note changed',
  tagZones: 'Zone tags changed',
  enrolHost: 'Host PC enrolled',
  removeHost: 'Host PC removed',
  reapplyConfiguration: 'Configuration re-applied',
  deleteDevice: 'Reader deleted',
  moveDevice: 'Reader moved',
  changeHost: 'Host PC changed',
  hostOnTwoPcs: 'Host PC on two PCs',
  renameEqual: 'Equal name numbered',
  reapplyFirmware: 'Firmware re-applied',
  createLicence: 'Licence created',
  generateLicence: 'Licence generated',
  revokeLicence: 'Licence revoked',
  createReader: 'Reader registered',
  updateReader: 'Registered reader changed',
  deleteReader: 'Registered reader deleted',
  createDeskRecord: 'Reader set up at a desk',
  withdrawDeskRecord: 'Desk record withdrawn',
  saveScannerAppUser: 'Scanner-app user saved',
  haltRollout: 'Rollout halted',
  resumeRollout: 'Rollout resumed',
  retryRollout: 'Rollout retried',
  rollBackRollout: 'Rollout rolled back',
  nameRollout: 'Rollout named',
  setSafetyLimit: 'Safety limit changed',
  startRollout: 'Rollout started now',
  moveRollout: 'Rollout moved',
  setSchedule: 'Maintenance windows set',
  setZoneSchedule: 'Zone windows set',
  setPublishingDefaults: 'Publishing defaults set',
  beginPhase: 'Phase started',
  gateHalt: 'Rollout halted by a gate',
  safetyHalt: 'Zone halted by the safety limit',
  updateLibraryEntry: 'Configuration changed',
  addLibraryVersion: 'Configuration version saved',
  restoreLibraryEntry: 'Configuration restored',
  createConfig: 'Config added',
  editConfig: 'Config changed',
  deleteConfig: 'Config deleted',
  createProduct: 'Product added',
  updateProduct: 'Product changed',
  createAd: 'Ad added',
  updateAd: 'Ad changed',
  deleteAd: 'Ad deleted',
  createCase: 'Support case opened',
  updateCase: 'Support case changed',
  deleteCase: 'Support case deleted',
  uploadFirmwareRelease: 'Firmware release uploaded',
  offerFirmwareRelease: 'Firmware release withdrawn or offered',
  deleteFirmwareRelease: 'Firmware release deleted',
  signIn: 'Signed in',
  lockOut: 'Sign-in locked',
  passwordChanged: 'Password changed',
  passwordReset: 'Password reset',
  accountBlocked: 'Account blocked or unblocked',
  setSignInRule: 'Passkeys required or not',
  confirmRecovery: 'Recovery confirmed',
  refuseRecovery: 'Recovery refused',
  passkeyAdded: 'Passkey added',
  passkeyRemoved: 'Passkey removed',
  recoveryRequested: 'Recovery asked for',
  recoveryUsed: 'Passkeys replaced',
}

/** An unknown type is its own label. */
export const formatChangeType = (type: string): string => (Object.hasOwn(labels, type) ? labels[type as ChangeType] : type)

export interface TypeChoice {
  value: string
  label: string
  /** The number of entries in the whole log; undefined until it is known. */
  count?: number | undefined
}

const allChanges = 'all'

export const toTypeValue = (type: string): string => (type === '' ? allChanges : `=${type}`)
export const fromTypeValue = (value: string): string => (value === allChanges ? '' : value.slice(1))

export function listTypeChoices(choices: AuditChoices | undefined, chosen: string, ofOrganization: boolean): TypeChoice[] {
  const counts = new Map(choices?.changeTypes.map(({ changeType, count }) => [changeType, count]))
  const first = ofOrganization ? specifiedChangeTypes : []
  const types = new Set<string>([...first, ...[...counts.keys()].sort((a, b) => formatChangeType(a).localeCompare(formatChangeType(b)))])
  if (chosen !== '') types.add(chosen)
  const count = (type: string) => (choices ? (counts.get(type) ?? 0) : undefined)
  const total = choices?.changeTypes.reduce((sum, { count: amount }) => sum + amount, 0)
  return [
    { value: allChanges, label: 'All changes', count: total },
    ...[...types].map((type) => ({ value: toTypeValue(type), label: formatChangeType(type), count: count(type) })),
  ]
}
