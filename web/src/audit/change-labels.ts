import type { AuditChoices } from '@lectern/contract/audit/audit.ts'
import { type ChangeType, specifiedChangeTypes } from '@lectern/contract/audit/changes.ts'

/** Change types in short. */
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
  enrolHost: 'Host PC enrolled',
  removeHost: 'Host PC removed',
  reapplyConfiguration: 'Configuration applied again',
  reapplyFirmware: 'Firmware applied again',
  createLicence: 'Licence created',
  generateLicence: 'Licence generated',
  createReader: 'Reader registered',
  updateReader: 'Reader changed',
  deleteReader: 'Reader deleted',
  saveScannerAppUser: 'Scanner-app user saved',
  haltRollout: 'Rollout halted',
  resumeRollout: 'Rollout resumed',
  retryRollout: 'Rollout tried again',
  rollBackRollout: 'Rollout rolled back',
  setSafetyLimit: 'Safety limit changed',
  safetyHalt: 'Zone halted by the safety limit',
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
}

/** A change type in short; one that is not known here by its own name. */
export const changeLabel = (type: string): string => (Object.hasOwn(labels, type) ? labels[type as ChangeType] : type)

/** A type of change to choose, with how many entries the whole log has of it where that is known. */
export interface TypeChoice {
  value: string
  label: string
  count?: number | undefined
}

/** The value of "All changes". */
export const allChanges = 'all'

/** The types a log can be filtered by: all, those of the specification (an organization's log), and others that it has. */
export function typeChoices(choices: AuditChoices | undefined, chosen: string, ofOrganization: boolean): TypeChoice[] {
  const counts = new Map(choices?.changeTypes.map(({ changeType, count }) => [changeType, count]))
  const first = ofOrganization ? specifiedChangeTypes : []
  const types = new Set<string>([...first, ...[...counts.keys()].sort((a, b) => changeLabel(a).localeCompare(changeLabel(b)))])
  if (chosen !== '') types.add(chosen)
  const count = (type: string) => (choices ? (counts.get(type) ?? 0) : undefined)
  const total = choices?.changeTypes.reduce((sum, { count: amount }) => sum + amount, 0)
  return [
    { value: allChanges, label: 'All changes', count: total },
    ...[...types].map((type) => ({ value: `=${type}`, label: changeLabel(type), count: count(type) })),
  ]
}
