import type { AuditEntry } from './audit.ts'
import type { ChangeType } from './changes.ts'

export const unknownUser = 'an unknown user'
export const itself: ReadonlyMap<string, string> = new Map([
  ['safetyHalt', 'Lectern'],
  ['gateHalt', 'Lectern'],
  // For phases that a gate began.
  ['beginPhase', 'Lectern'],
  ['firstManager', 'Lectern'],
  ['moveDevice', 'Lectern'],
  ['hostOnTwoPcs', 'Lectern'],
  ['renameEqual', 'Lectern'],
  ['setMemberRole', 'The operator'],
  ['lockOut', 'Lectern'],
  ['accountBlocked', 'The operator'],
])

type Entry = Pick<
  AuditEntry,
  'changeType' | 'user' | 'hostName' | 'target' | 'newValue' | 'zoneName' | 'version' | 'configName' | 'deviceSerial'
>
export type Place = Exclude<keyof Entry, 'user' | 'hostName'>

// Predicates by the entry's new value; '' where it has none.
interface ByNewValue {
  readonly values: ReadonlyMap<string, string>
  readonly otherwise: string
}

/**
 * What happened, by change type. `{place}` is filled from the entry; a part in brackets is left out where its place is empty. The server's
 * SQL uses these too.
 */
export const predicates: Readonly<Record<ChangeType, string | ByNewValue>> = {
  ZoneCreate: 'created the zone {zoneName}',
  ZoneDelete: 'deleted the zone {zoneName}',
  ZoneFirmwareChange: 'set firmware {version} for {target} in {zoneName}',
  ZoneConfigChange: 'set the configuration of {target} in {zoneName} to {configName}',
  AdvancedConfigCreated: 'created the configuration {configName}[ for {target}]',
  AdvancedConfigDeleted: 'deleted the configuration {configName}[ for {target}]',
  FirmwareInstalled: 'installed firmware {version} on {deviceSerial}[ in {zoneName}]',
  registerUser: 'registered',
  updateCurrentUser: 'changed their profile[: {newValue}]',
  registerOrganization: 'registered the organization {newValue}',
  markOrganization: {
    values: new Map([['true', 'marked the organization as having Epic data']]),
    otherwise: 'took the mark Epic data from the organization',
  },
  createGroup: 'created the group {newValue}',
  renameGroup: 'renamed the group {target} to {newValue}',
  setGroupProducts: 'chose the products of the group {target}',
  deleteGroup: 'deleted the group {target}',
  joinGroup: 'joined the group {target}',
  changeMemberRole: 'gave {target} the role {newValue}',
  changeMemberGroup: 'moved {target} to the group {newValue}',
  removeMember: 'removed {target} from the organization',
  leaveOrganization: 'left the organization',
  firstManager: 'made {target} Manager, the longest member where none had all permissions',
  setMemberRole: 'set the role of {target} to {newValue}',
  createInvitation: 'invited {target}[ as {newValue}]',
  resendInvitation: 'invited {target} again[ as {newValue}]',
  revokeInvitation: 'took back the invitation of {target}',
  createRole: 'created the role {target}[ with {newValue}]',
  updateRole: 'changed the role {target}[: {newValue}]',
  deleteRole: 'deleted the role {target}',
  setZoneNote: {
    values: new Map([['', 'emptied the note of the zone {zoneName}']]),
    otherwise: 'changed the note of the zone {zoneName} to {newValue}',
  },
  tagZones: {
    values: new Map([['', 'removed the tags of the zone {zoneName}']]),
    otherwise: 'set the tags of the zone {zoneName} to {newValue}',
  },
  enrolHost: 'enrolled the host PC {target} in {zoneName}[ with the licence {newValue}]',
  removeHost: 'removed the host PC {target}[ from {zoneName}]',
  reapplyConfiguration: 'had {configName} applied again to {deviceSerial}[ in {zoneName}]',
  deleteDevice: 'deleted the reader {deviceSerial}[ of {zoneName}]',
  changeHost: 'has changed: {newValue}',
  hostOnTwoPcs: 'found that the host PC {target}[ in {zoneName}] runs on two PCs, and hands out nothing to it',
  renameEqual: 'renamed {target} to {newValue}, as another one had the same name',
  moveDevice: 'moved the reader {deviceSerial}[ from {target}] to {newValue} in {zoneName}',
  reapplyFirmware: 'had firmware {version} applied again to {deviceSerial}[ in {zoneName}]',
  createLicence: 'created the licence {target}[ ({newValue})]',
  generateLicence: 'generated the licence {target}[ ({newValue})] with its file',
  revokeLicence: 'revoked the licence {target}[ and removed {newValue}]',
  createReader: 'registered the reader {deviceSerial}',
  updateReader: {
    values: new Map([
      ['lost', 'marked the registered reader {deviceSerial} as lost'],
      ['found', 'marked the registered reader {deviceSerial} as found'],
    ]),
    otherwise: 'changed the registered reader {deviceSerial}',
  },
  deleteReader: 'deleted the registered reader {deviceSerial}',
  createDeskRecord: {
    values: new Map([
      [
        'registered',
        'registered the reader {deviceSerial} and kept what it typed at their desk, set up with {configName}[, version {version}]',
      ],
    ]),
    otherwise: 'kept what the reader {deviceSerial} typed at their desk, set up with {configName}[, version {version}]',
  },
  withdrawDeskRecord: 'withdrew the record of what {deviceSerial} typed at a desk: {newValue}',
  saveScannerAppUser: 'saved the scanner-app user {target}',
  haltRollout: 'halted the rollout of {target}[ in {zoneName}]',
  resumeRollout: 'resumed the rollout of {target}[ in {zoneName}]',
  retryRollout: {
    values: new Map([['1', 'had the rollout of {target} tried again on 1 reader that failed[ in {zoneName}]']]),
    otherwise: 'had the rollout of {target} tried again on {newValue} readers that failed[ in {zoneName}]',
  },
  rollBackRollout: 'rolled back {target}[ in {zoneName}]',
  nameRollout: {
    values: new Map([['', 'took the name of the rollout of {target}[ in {zoneName}]']]),
    otherwise: 'named the rollout of {target}[ in {zoneName}] “{newValue}”',
  },
  setSafetyLimit: 'set the safety limit of {target}[ in {zoneName}] to {newValue}',
  startRollout: 'started the rollout of {target} now[ in {zoneName}][, {newValue}]',
  moveRollout: 'moved the rollout of {target}[ in {zoneName}] to {newValue}',
  setSchedule: 'set when runs may be: {newValue}',
  setZoneSchedule: 'set when runs may be in {zoneName}: {newValue}',
  setPublishingDefaults: 'set the defaults for publishing to {newValue}',
  beginPhase: 'began {newValue} of the rollout of {target}',
  gateHalt: 'halted the rollout of {target}, as {newValue}',
  safetyHalt: 'halted the rollout of {target} in {zoneName}, as {newValue} failed',
  updateLibraryEntry: 'changed the configuration {configName}[ for {target}][: {newValue}]',
  addLibraryVersion: 'saved version {version} of the configuration {configName}[ for {target}]',
  restoreLibraryEntry: 'restored the configuration {configName}[ for {target}][: {newValue}]',
  createConfig: 'added the config {configName} to the collection {target}',
  editConfig: 'changed the config {configName} of the collection {target}',
  deleteConfig: 'deleted the config {configName} of the collection {target}',
  createProduct: 'added the product {target}',
  updateProduct: 'changed the product {target}',
  createAd: 'added the ad {target}',
  updateAd: 'changed the ad {target}',
  deleteAd: 'deleted the ad {target}',
  createCase: 'opened the support case {target}',
  updateCase: 'changed the support case {target}[: {newValue}]',
  deleteCase: 'deleted the support case {target}',
  uploadFirmwareRelease: 'uploaded the firmware release {version} for {target}',
  offerFirmwareRelease: {
    values: new Map([['true', 'offered the firmware release {version} for {target} again']]),
    otherwise: 'withdrew the firmware release {version} for {target}',
  },
  deleteFirmwareRelease: 'deleted the firmware release {version} for {target}',
  signIn: 'signed in',
  lockOut: 'locked the sign-in of {target} in unknown browsers for an hour, after too many wrong passwords',
  passwordChanged: 'changed their password',
  passwordReset: 'reset their password with a mailed link',
  accountBlocked: {
    values: new Map([['false', 'unblocked the account {target}']]),
    otherwise: 'blocked the account {target}',
  },
  setSignInRule: {
    values: new Map([['true', 'required passkeys of all members']]),
    otherwise: 'no longer required passkeys of members',
  },
  confirmRecovery: 'confirmed the recovery of {target}',
  refuseRecovery: 'refused the recovery of {target}',
  passkeyAdded: 'added a passkey',
  passkeyRemoved: 'removed a passkey',
  recoveryRequested: 'asked for a recovery, as their passkeys are lost',
  recoveryUsed: 'replaced their lost passkeys after a recovery',
}

/** What happened where a host PC did it. */
export const predicatesOfHosts: ReadonlyMap<string, string> = new Map([
  ['enrolHost', 'enrolled in {zoneName}[ with the licence {newValue}]'],
  ['removeHost', 'enrolled anew, which removed {target}[ from {zoneName}]'],
])

export const hostSubject = 'Host PC '

export const anyChange = 'made the change {changeType}'

export interface SentencePart {
  text: string
  place?: Place
}

export const formatSubject = ({ user, hostName, changeType }: Pick<Entry, 'user' | 'hostName' | 'changeType'>): string =>
  user?.name ?? itself.get(changeType) ?? (hostName === undefined ? unknownUser : `${hostSubject}${hostName}`)

export function formatPredicate(entry: Entry): SentencePart[] {
  const ofHost = entry.hostName === undefined ? undefined : predicatesOfHosts.get(entry.changeType)
  if (ofHost !== undefined) return filled(ofHost, entry) ?? filled(anyChange, entry) ?? []
  const known = Object.hasOwn(predicates, entry.changeType) ? predicates[entry.changeType as ChangeType] : anyChange
  const template = typeof known === 'string' ? known : (known.values.get(entry.newValue ?? '') ?? known.otherwise)
  return filled(template, entry) ?? filled(anyChange, entry) ?? []
}

export const formatSentence = (entry: Entry): string =>
  `${formatSubject(entry)} ${formatPredicate(entry)
    .map(({ text }) => text)
    .join('')}`

function filled(template: string, entry: Entry): SentencePart[] | undefined {
  const whole = template.replace(/\[(.*?)\]/g, (_, part: string) => (listPlaces(part).every((place) => entry[place]) ? part : ''))
  if (!listPlaces(whole).every((place) => entry[place])) return undefined
  return whole
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part) => {
      const [place] = listPlaces(part)
      return place === undefined ? { text: part } : { text: entry[place] as string, place }
    })
}

const listPlaces = (template: string): Place[] => [...template.matchAll(/\{(\w+)\}/g)].map(([, place]) => place as Place)
