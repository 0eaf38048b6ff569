import type { AuditEntry } from './audit.ts'
import type { ChangeType } from './changes.ts'

export const unknownUser = 'an unknown user'
const itself = new Map<string, string>([['safetyHalt', 'Lectern']])

type Entry = Pick<AuditEntry, 'changeType' | 'user' | 'target' | 'newValue' | 'zoneName' | 'version' | 'configName' | 'deviceSerial'>
type Place = Exclude<keyof Entry, 'user'>

/** `{place}` is filled from the entry; a part in brackets is left out where its place is empty. */
const predicates: Record<ChangeType, string | ((entry: Entry) => string)> = {
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
  markOrganization: ({ newValue }) =>
    newValue === 'true' ? 'marked the organization as having Epic data' : 'took the mark Epic data from the organization',
  createGroup: 'created the group {newValue}',
  renameGroup: 'renamed the group {target} to {newValue}',
  setGroupProducts: 'chose the products of the group {target}',
  deleteGroup: 'deleted the group {target}',
  joinGroup: 'joined the group {target}',
  setZoneNote: ({ newValue }) =>
    newValue ? 'changed the note of the zone {zoneName} to {newValue}' : 'emptied the note of the zone {zoneName}',
  enrolHost: 'enrolled the host PC {target} in {zoneName}',
  removeHost: 'removed the host PC {target}[ from {zoneName}]',
  reapplyConfiguration: 'had {configName} applied again to {deviceSerial}[ in {zoneName}]',
  reapplyFirmware: 'had firmware {version} applied again to {deviceSerial}[ in {zoneName}]',
  createLicence: 'created the licence {target}[ ({newValue})]',
  generateLicence: 'generated the licence {target}[ ({newValue})] with its file',
  createReader: 'registered the reader {deviceSerial}',
  updateReader: ({ newValue }) =>
    newValue === 'lost'
      ? 'marked the registered reader {deviceSerial} as lost'
      : newValue === 'found'
        ? 'marked the registered reader {deviceSerial} as found'
        : 'changed the registered reader {deviceSerial}',
  deleteReader: 'deleted the registered reader {deviceSerial}',
  saveScannerAppUser: 'saved the scanner-app user {target}',
  haltRollout: 'halted the rollout of {target}[ in {zoneName}]',
  resumeRollout: 'resumed the rollout of {target}[ in {zoneName}]',
  retryRollout: ({ newValue }) =>
    newValue === '1'
      ? 'had the rollout of {target} tried again on 1 reader that failed[ in {zoneName}]'
      : 'had the rollout of {target} tried again on {newValue} readers that failed[ in {zoneName}]',
  rollBackRollout: 'rolled back {target}[ in {zoneName}]',
  setSafetyLimit: 'set the safety limit of {target}[ in {zoneName}] to {newValue}',
  safetyHalt: 'halted the rollout of {target} in {zoneName}, as {newValue} failed',
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
  offerFirmwareRelease: ({ newValue }) =>
    newValue === 'true'
      ? 'offered the firmware release {version} for {target} again'
      : 'withdrew the firmware release {version} for {target}',
  deleteFirmwareRelease: 'deleted the firmware release {version} for {target}',
}

const anyChange = 'made the change {changeType}'

export interface SentencePart {
  text: string
  place?: Place
}

export const formatSubject = ({ user, changeType }: Pick<Entry, 'user' | 'changeType'>): string =>
  user?.name ?? itself.get(changeType) ?? unknownUser

export function formatPredicate(entry: Entry): SentencePart[] {
  const known = Object.hasOwn(predicates, entry.changeType) ? predicates[entry.changeType as ChangeType] : anyChange
  const template = typeof known === 'string' ? known : known(entry)
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
