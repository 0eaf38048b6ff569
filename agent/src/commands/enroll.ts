import { readFile, rm } from 'node:fs/promises'
import type { Enrolled } from '@lectern/contract/hosts.ts'
import type { VendorKeys } from '@lectern/contract/licences/licence-file.ts'
import { TimeZone } from '@lectern/contract/publications/update-time.ts'
import { cleanName } from '@lectern/contract/text/clean-name.ts'
import { decodeFile } from '@lectern/contract/text/decode-file.ts'
import { Uuid } from '@lectern/contract/text/text.ts'
import { backoff } from '../backoff.ts'
import { Stop } from '../exit-codes.ts'
import type { Log } from '../log.ts'
import { sentence } from '../sentence.ts'
import { connectTo } from '../server/client.ts'
import { Refusal, Unavailable } from '../server/errors.ts'
import {
  credentialHash,
  newCredential,
  readEnrollment,
  readPendingEnrollment,
  storeEnrollment,
  storePendingEnrollment,
} from '../state/enrollment.ts'
import { type Folder, makeFolder, sweepFolder } from '../state/folder.ts'
import { lockFolder } from '../state/lock.ts'
import { hostTimeZone } from '../time-zone.ts'
import { pause } from '../wakeup.ts'
import { type GivenLicence, readGivenLicence, readVendorKeys, storedVendorKeys, storeVendorKeys, verifyLicence } from './licence-file.ts'

export interface EnrollOptions {
  state: string
  server: string
  /** A licence number, or the path of a licence file. */
  licence: string
  /** A path. Null: the stored key, else the server's. */
  vendorKey: string | null
  name: string
  timeZone: string | null
  driver?: string
  replace: boolean
  agentVersion: string
}

const attempts = 4
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
  const givenKeys = options.vendorKey === null ? null : await readVendorKeys(options.vendorKey)
  const folder = await makeFolder(options.state)
  const lock = await lockFolder(folder)
  try {
    await sweepFolder(folder)
    const knownKeys = givenKeys ?? (options.replace ? null : await storedVendorKeys(folder))
    const { number, keys } = await openLicence(licence, knownKeys, server, signal)
    const credential = await chooseCredential(folder, server, zoneId, options.replace)
    await storePendingEnrollment(folder, { server, zoneId, credential })
    const { vendorKeys, ...enrolled } = await send(folder, { server, zoneId, credential, number }, options, signal)
    // A server cannot change the keys that this PC trusts.
    const trusted = keys ?? vendorKeys
    if (trusted) await storeVendorKeys(folder, trusted)
    const { name: hostName, timeZone } = options
    await storeEnrollment(folder, { server, zoneId, credential, ...enrolled, hostName, timeZone })
    log.info(`This PC is enrolled as ${hostName} in the zone ${enrolled.zoneName}, time zone ${timeZone ?? hostTimeZone()}.`)
    const { driver } = options
    log.info(
      driver === undefined
        ? 'Start it with "lectern-agent run --driver serial" for readers on serial ports, or "--driver simulated" for readers that do not exist.'
        : `Start it with "lectern-agent run --driver ${driver}".`,
    )
    if (new URL(server).protocol === 'http:' && !isLoopback(server))
      log.warn(`The connection to ${server} is not encrypted. Use https where you can.`)
  } finally {
    await lock.release()
  }
}

const isLoopback = (server: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(server).hostname)

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

async function chooseCredential(folder: Folder, server: string, zoneId: string, replace: boolean): Promise<string> {
  const pending = await readPendingEnrollment(folder)
  if (pending && pending.server === server && pending.zoneId === zoneId) return pending.credential
  if (replace) return newCredential()
  const enrollment = await readEnrollment(folder)
  if (!enrollment) return newCredential()
  // The same portal may have another address now.
  if (enrollment.zoneId === zoneId) return enrollment.credential
  throw new Stop(
    'usage',
    `This PC is already enrolled in the zone ${enrollment.zoneName} at ${enrollment.server}. Use --replace to enroll again, or another --state folder for a second agent.`,
  )
}

async function openLicence(
  licence: GivenLicence,
  known: VendorKeys | null,
  server: string,
  signal: AbortSignal,
): Promise<{ number: string; keys: VendorKeys | null }> {
  if ('number' in licence) return { number: licence.number, keys: known }
  const keys = known ?? (await callPatiently(() => connectTo(server, '').call('getVendorKeys', {}, signal), signal))
  return { number: verifyLicence(licence.text, keys).licenseNumber, keys }
}

async function send(
  folder: Folder,
  { server, zoneId, credential, number }: { server: string; zoneId: string; credential: string; number: string },
  { name, timeZone, agentVersion, driver }: EnrollOptions,
  signal: AbortSignal,
): Promise<Enrolled> {
  const hash = credentialHash(credential)
  const body = { zoneId, hostName: name, timeZone: timeZone ?? hostTimeZone(), agentVersion, credentialHash: hash, driver }
  try {
    return await callPatiently(() => connectTo(server, number).call('enrollHost', { body }, signal), signal)
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
      if (attempt === attempts || signal.aborted) {
        throw new Stop('unavailable', `${sentence(error)} Nothing is lost. Run the same command again.`, error)
      }
      await pause(Math.max(backoff(attempt), Math.min(error.retryAfter ?? 0, longestWait)), signal)
    }
  }
}
