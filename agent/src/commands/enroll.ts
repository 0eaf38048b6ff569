import { readFile, rm } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Enrolled } from '@lectern/contract/hosts.ts'
import type { VendorKeys } from '@lectern/contract/licences/licence-file.ts'
import { TimeZone } from '@lectern/contract/publications/update-time.ts'
import { cleanName } from '@lectern/contract/text/clean-name.ts'
import { decodeFile } from '@lectern/contract/text/decode-file.ts'
import { Uuid } from '@lectern/contract/text/text.ts'
import { backoff } from '../backoff.ts'
import { findInstalled } from '../installed.ts'
import type { Log } from '../log.ts'
import { sentence } from '../sentence.ts'
import { connectTo, isUnencrypted, type Server } from '../server/client.ts'
import { Refusal, SetupFault, Unavailable, Unreachable } from '../server/errors.ts'
import { findProxy, nameProxy } from '../server/proxy.ts'
import { trustAuthorities } from '../server/trust.ts'
import {
  credentialHash,
  newCredential,
  readEnrollment,
  readPendingEnrollment,
  type StoredEnrollment,
  storeEnrollment,
  storePendingEnrollment,
} from '../state/enrollment.ts'
import { type Folder, folderAt, makeFolder, sweepFolder } from '../state/folder.ts'
import { withRemedy } from '../state/folder-remedies.ts'
import { lockFolder, runningAgent } from '../state/lock.ts'
import { bindToMachine, checkMachine, type ReadMachineId } from '../state/machine.ts'
import { Stop } from '../stop.ts'
import { hostTimeZone } from '../time-zone.ts'
import { pause } from '../wakeup.ts'
import { type ConnectionFlags, readAuthorities, readProxy } from './connection-flags.ts'
import { type GivenLicence, readGivenLicence, readVendorKeys, storedVendorKeys, storeVendorKeys, verifyLicence } from './licence-file.ts'

export interface EnrollOptions extends ConnectionFlags {
  state: string
  server: string
  /** A licence number, or the path of a file with a licence or its number. */
  licence: string
  /** Whether the licence is on the command line. */
  isArgument?: boolean
  /** A path. Null: the stored key, else the server's. */
  vendorKey: string | null
  name: string
  timeZone: string | null
  driver?: string
  /** Whether the portal's address may be without encryption. That is kept. */
  allowHttp?: boolean
  replace: boolean
  agentVersion: string
  /** Absent for a host PC that does not exist, and so is on no machine. */
  readMachineId?: ReadMachineId
}

const attempts = 4
const unreadProxies =
  'No proxy is named, and none is taken from PAC files or the settings of Windows. Where this PC needs one, give --proxy http://PROXY:PORT.'
// Milliseconds. Longer waits that a server asks for are cut to this, as a person waits for the command.
const longestWait = 60_000

/** After a kill it continues the same enrollment (decision 4). Throws `Stop`. */
export const enroll = async (locationFile: string, options: EnrollOptions, log: Log, signal: AbortSignal): Promise<void> =>
  enrollInZone(await readLocationFile(locationFile), options, log, signal)

/** As `enroll`, for a known zone id. */
export async function enrollInZone(zoneId: string, given: EnrollOptions, log: Log, signal: AbortSignal): Promise<void> {
  // The name in the form in which the portal stores it.
  const options = { ...given, name: cleanName(given.name) }
  const server = parseServer(options.server)
  if (options.timeZone !== null && !TimeZone.safeParse(options.timeZone).success) {
    throw new Stop('usage', `${options.timeZone} is no time zone. Give one such as Europe/Berlin, or leave --time-zone out.`)
  }
  const licence = await readGivenLicence(options.licence)
  const installed = findInstalled()
  if ('number' in licence && !licence.isInFile && options.isArgument && installed?.state === folderAt(options.state).path)
    throw new Stop(
      'usage',
      'Everybody on this PC can read the arguments of its programs, and the licence number with them. Write it to a file that only you may read, and give that file with --licence.',
    )
  const givenKeys = options.vendorKey === null ? null : await readVendorKeys(options.vendorKey)
  const givenProxy = await readProxy(options)
  const givenAuthorities = options.ca ? await readAuthorities(options.ca) : undefined
  const chooseConnection = (before: StoredEnrollment | null) => ({
    proxy: options.proxy === false ? undefined : (givenProxy ?? before?.proxy),
    ca: options.ca === false ? undefined : (givenAuthorities ?? before?.ca),
  })
  const folder = await makeFolder(options.state)
  if (!options.replace && (await runsAsAsked(folder, { ...options, server, zoneId, chooseConnection }))) {
    log.info(`This PC is enrolled as ${options.name} and its agent is running. Nothing is changed.`)
    return
  }
  const lock = await withRemedy(folder, () => lockFolder(folder))
  try {
    const machineId = (await options.readMachineId?.()) ?? null
    const { credential, before, replaced, storedKeys } = await withRemedy(folder, async () => {
      await sweepFolder(folder)
      const chosen = await chooseCredential(folder, { server, zoneId, replace: options.replace, machineId })
      return { ...chosen, storedKeys: givenKeys || options.replace ? null : await storedVendorKeys(folder) }
    })
    const isAllowed = options.allowHttp === true || (before?.server === server && before.allowHttp)
    const allowHttp = isAllowed && isUnencrypted(server)
    const { proxy: named, ca } = chooseConnection(before ?? replaced)
    const proxy = findProxy(server, named)
    const connect = (bearer: string) => connectTo(server, bearer, { allowHttp, proxy })
    trustAuthorities(server, ca)
    const knownKeys = givenKeys ?? storedKeys
    const { number, keys } = await openLicence(licence, knownKeys, connect(''), signal)
    const portal = connect(number)
    await withRemedy(folder, () => storePendingEnrollment(folder, { server, zoneId, credential }))
    const { vendorKeys, ...enrolled } = await send(folder, portal, { zoneId, credential, replaced }, options, signal)
    // A server cannot change the keys that this PC trusts.
    const trusted = keys ?? vendorKeys
    const { name: hostName, timeZone } = options
    await withRemedy(folder, async () => {
      if (trusted) await storeVendorKeys(folder, trusted)
      const machine = machineId === null ? {} : { machine: bindToMachine(enrolled.hostId, machineId) }
      const connection = { server, allowHttp, proxy: named, ca }
      await storeEnrollment(folder, { ...enrolled, ...connection, zoneId, credential, hostName, timeZone, ...machine }, before)
    })
    log.info(`This PC is enrolled as ${hostName} in the zone ${enrolled.zoneName}, time zone ${timeZone ?? hostTimeZone()}.`)
    const { driver } = options
    if (installed?.state === folder.path) log.info(`Start it with ${installed.start}`)
    else
      log.info(
        driver === undefined
          ? 'Start it with "lectern-agent run --driver serial" for readers on serial ports, or "--driver simulated" for readers that do not exist.'
          : `Start it with "lectern-agent run --driver ${driver}".`,
      )
    if (proxy && !named)
      log.info(
        `The portal was reached through the proxy ${nameProxy(proxy)} of the environment, which a service may not have. Give --proxy to keep it.`,
      )
    if (allowHttp) log.warn(`The connection to ${server} is not encrypted. Use https where you can.`)
  } finally {
    await lock.release()
  }
}

async function readLocationFile(file: string): Promise<string> {
  let text: string
  try {
    // An editor may have saved it in another encoding.
    text = decodeFile(await readFile(file))?.text.trim() ?? ''
  } catch (error) {
    throw new Stop('usage', `The location file ${file} cannot be read: ${sentence(error)}`, error)
  }
  if (text === '') throw new Stop('usage', `The location file ${file} is empty. Download it again from "Manage Your Zones".`)
  const zoneId = Uuid.safeParse(text)
  if (!zoneId.success) {
    throw new Stop('usage', `${file} is no location file: it has no zone id. Download it again from "Manage Your Zones".`)
  }
  return zoneId.data
}

function parseServer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new Stop('usage', `${text} is no server address. Give the address of the portal, such as https://lectern.example.`)
  }
  return url.href.replace(/\/+$/, '')
}

/** Whether an agent runs with this very enrollment. Throws `Stop` where it runs with one in another zone. */
async function runsAsAsked(
  folder: Folder,
  {
    server,
    zoneId,
    name,
    timeZone,
    chooseConnection,
  }: Pick<EnrollOptions, 'server' | 'name' | 'timeZone'> & {
    zoneId: string
    chooseConnection: (before: StoredEnrollment) => Pick<StoredEnrollment, 'proxy' | 'ca'>
  },
): Promise<boolean> {
  if ((await withRemedy(folder, () => runningAgent(folder))) === null) return false
  const enrollment = await readEnrollment(folder)
  if (enrollment && enrollment.zoneId !== zoneId) throw otherZone(enrollment)
  if (enrollment?.server !== server || enrollment.hostName !== name || enrollment.timeZone !== timeZone) return false
  const { proxy, ca } = enrollment
  return isDeepStrictEqual(chooseConnection(enrollment), { proxy, ca })
}

const otherZone = ({ zoneName, server }: StoredEnrollment): Stop =>
  new Stop(
    'usage',
    `This PC is already enrolled in the zone ${zoneName} at ${server}. Use --replace to enroll again, or another --state folder for a second agent.`,
  )

interface ChosenCredential {
  credential: string
  /** The enrollment of this PC that goes on; null for a new one. */
  before: StoredEnrollment | null
  /** The enrollment of this PC that is dropped for a new one, at the same place in the network; null: none. */
  replaced: StoredEnrollment | null
}

/** Throws `Stop` where the folder is of another PC, unless that enrollment is dropped. */
async function chooseCredential(
  folder: Folder,
  { server, zoneId, replace, machineId }: { server: string; zoneId: string; replace: boolean; machineId: string | null },
): Promise<ChosenCredential> {
  const pending = await readPendingEnrollment(folder)
  if (replace) {
    const credential = pending?.server === server && pending.zoneId === zoneId ? pending.credential : newCredential()
    return { credential, before: null, replaced: await findReplaced(folder, machineId) }
  }
  const enrollment = await readEnrollment(folder)
  if (enrollment) checkMachine(enrollment, machineId)
  // The same portal may have another address now.
  const before = enrollment?.zoneId === zoneId ? enrollment : null
  if (pending && pending.server === server && pending.zoneId === zoneId) return { credential: pending.credential, before, replaced: null }
  if (!enrollment) return { credential: newCredential(), before: null, replaced: null }
  if (before) return { credential: before.credential, before, replaced: null }
  throw otherZone(enrollment)
}

/** The enrollment that is dropped; null where it cannot be read, or is of another PC, which goes on with it. */
async function findReplaced(folder: Folder, machineId: string | null): Promise<StoredEnrollment | null> {
  try {
    const enrollment = await readEnrollment(folder)
    if (enrollment) checkMachine(enrollment, machineId)
    return enrollment
  } catch (error) {
    if (error instanceof Stop) return null
    throw error
  }
}

async function openLicence(
  licence: GivenLicence,
  known: VendorKeys | null,
  portal: Server,
  signal: AbortSignal,
): Promise<{ number: string; keys: VendorKeys | null }> {
  if ('number' in licence) return { number: licence.number, keys: known }
  const keys = known ?? (await callPatiently(() => portal.call('getVendorKeys', {}, signal), signal))
  return { number: verifyLicence(licence.text, keys).licenseNumber, keys }
}

async function send(
  folder: Folder,
  portal: Server,
  { zoneId, credential, replaced }: { zoneId: string; credential: string; replaced: StoredEnrollment | null },
  { name, timeZone, agentVersion, driver }: EnrollOptions,
  signal: AbortSignal,
): Promise<Enrolled> {
  const hash = credentialHash(credential)
  // The one that this PC gives up.
  const replaces = replaced ? credentialHash(replaced.credential) : undefined
  const body = { zoneId, hostName: name, timeZone: timeZone ?? hostTimeZone(), agentVersion, credentialHash: hash, driver, replaces }
  try {
    return await callPatiently(() => portal.call('enrollHost', { body }, signal), signal)
  } catch (error) {
    // The server will refuse this credential later too.
    if (error instanceof Stop && error.cause instanceof Refusal) await rm(folder.enrolling, { force: true })
    throw error
  }
}

async function callPatiently<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      if (error instanceof Refusal) {
        const hint = error.status === 409 ? ' Run the command again with --replace for a new credential.' : ''
        throw new Stop('refused', `The server refuses to enroll this PC: ${error.message}${hint}`, error)
      }
      if (!(error instanceof Unavailable)) throw error
      if (error instanceof SetupFault) throw new Stop('unavailable', error.message, error)
      if (attempt === attempts || signal.aborted) {
        const hint = error instanceof Unreachable ? ` ${unreadProxies}` : ''
        throw new Stop('unavailable', `${sentence(error)}${hint} Nothing is lost. Run the same command again.`, error)
      }
      await pause(Math.max(backoff(attempt), Math.min(error.retryAfter ?? 0, longestWait)), signal)
    }
  }
}
