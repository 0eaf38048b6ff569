import * as z from 'zod/mini'

export const specifiedChangeTypes = [
  'ZoneCreate',
  'ZoneDelete',
  'ZoneFirmwareChange',
  'ZoneConfigChange',
  'AdvancedConfigCreated',
  'AdvancedConfigDeleted',
  'FirmwareInstalled',
] as const

/** Changes that the specification does not name have the name that their endpoint had when it was added: they are stored (decision 12). */
export const ChangeType = z.enum([
  ...specifiedChangeTypes,
  'registerUser',
  'updateCurrentUser',
  'registerOrganization',
  'markOrganization',
  'createGroup',
  'renameGroup',
  'setGroupProducts',
  'deleteGroup',
  'joinGroup',
  'setZoneNote',
  'enrolHost',
  'removeHost',
  'reapplyConfiguration',
  'reapplyFirmware',
  'createLicence',
  'generateLicence',
  'createReader',
  'updateReader',
  'deleteReader',
  'saveScannerAppUser',
  'haltRollout',
  'resumeRollout',
  'retryRollout',
  'rollBackRollout',
  'setSafetyLimit',
  'safetyHalt',
  'createConfig',
  'editConfig',
  'deleteConfig',
  'createProduct',
  'updateProduct',
  'createAd',
  'updateAd',
  'deleteAd',
  'createCase',
  'updateCase',
  'deleteCase',
  'uploadFirmwareRelease',
  'offerFirmwareRelease',
  'deleteFirmwareRelease',
])
export type ChangeType = z.infer<typeof ChangeType>

export type Audit = ChangeType | { readonly none: string }
