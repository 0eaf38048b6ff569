import { readFile, rm } from 'node:fs/promises'
import type { Enrolled } from '@lectern/contract/hosts.ts'
import type { VendorKeys } from '@lectern/contract/licences/licence-file.ts'
import { TimeZone } from '@lectern/contract/publications/update-time.ts'
import { Uuid } from '@lectern/contract/text/text.ts'
import { backoff } from '../backoff.ts'
import { Stop } from '../exit-codes.ts'
import type { Log } from '../log.ts'
import { sentence } from '../sentence.ts'
import { connectTo } from '../server/client.ts'
import { Refusal, Unavailable } from '../server/errors.ts'
import { credentialHash, keepEnrolling, keepEnrolment, newCredential, readEnrolling, readEnrolment } from '../state/enrollment.ts'
import { type Folder, makeFolder, sweepFolder } from '../state/folder.ts'
import { lockFolder } from '../state/lock.ts'
import { pause } from '../wakeup.ts'
import { type GivenLicence, givenLicence, keepVendorKeys, keptVendorKeys, vendorKeysIn, verifiedLicence } from './licence-file.ts'

export interface EnrollOptions {
  state: string
  server: string
  /** A licence number, or the path of a licence file. */
  licence: string
  /** The path of the vendor's public key. Null: the one this PC knows, else the one that the server gives. */
  vendorKey: string | null
  /** The host PC's name on the portal's screens. */
  name: string
  /** Null: the host's own, also when it changes. */
  timeZone: string | null
  /** Leave a former enrolment of this state folder behind. */
  replace: boolean
  agentVersion: string
}

/** Attempts before an unreachable server ends the enrolment. */
const attempts = 4

/**
 * Enrols this host PC in the zone of a location file. The credential is kept before the server hears of it, so that running it again after
 * a crash, or twice, is the same as once. Throws `Stop` with a sentence and an exit code.
 */
export async function enroll(locationFile: string, options: EnrollOptions, log: Log, signal: AbortSignal): Promise<void> {
  const zoneId = await readLocationFile(locationFile)
  const server = serverAddress(options.server)
  if (options.timeZone !== null && !TimeZone.safeParse(options.timeZone).success) {
    throw new Stop('usage', `${options.timeZone} is no time zone. Name one such as Europe/Berlin, or leave --time-zone out.`)
  }
  const given = await givenLicence(options.licence)
  const givenKeys = options.vendorKey === null ? null : await vendorKeysIn(options.vendorKey)
  const folder = await makeFolder(options.state)
  const lock = await lockFolder(folder)
  try {
    await sweepFolder(folder)
    const knownKeys = givenKeys ?? (options.replace ? null : await keptVendorKeys(folder))
    const { number, keys } = await openedBy(given, knownKeys, server, signal)
    const credential = await credentialFor(folder, server, zoneId, options.replace)
    await keepEnrolling(folder, { server, zoneId, credential })
    const timeZone = options.timeZone ?? hostTimeZone()
    const own = { zoneId, timeZone, credentialHash: credentialHash(credential) }
    const { hostId, organizationId, zoneName, vendorKeys } = await send(server, number, options, own, signal).catch(
      async (error: unknown) => {
        // A credential that the server will not take is not offered again.
        if (error instanceof Stop && error.cause instanceof Refusal) await rm(folder.enrolling, { force: true })
        throw error
      },
    )
    // Whom this PC has once trusted it goes on trusting, whatever a server says later.
    const trusted = keys ?? vendorKeys
    if (trusted) await keepVendorKeys(folder, trusted)
    await keepEnrolment(folder, {
      server,
      zoneId,
      credential,
      hostId,
      organizationId,
      zoneName,
      hostName: options.name,
      timeZone: options.timeZone,
    })
    log.info(`This PC is enrolled as ${options.name} in the zone ${zoneName}, time zone ${timeZone}.`)
    log.info('Start it with "lectern-agent run".')
    if (new URL(server).protocol === 'http:' && !isLoopback(server))
      log.warn(`The connection to ${server} is not encrypted. Use https where you can.`)
  } finally {
    await lock.release()
  }
}

export const hostTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const isLoopback = (server: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(server).hostname)

async function readLocationFile(file: string): Promise<string> {
  let text: string
  try {
    text = (await readFile(file, 'utf8')).trim()
  } catch (error) {
    throw new Stop('usage', `The location file ${file} cannot be read: ${sentence(error)}`, error)
  }
  if (text === '') throw new Stop('usage', `The location file ${file} is empty. Download it again from "Manage Your Zones".`)
  const zoneId = Uuid.safeParse(text)
  if (!zoneId.success) {
    throw new Stop('usage', `${file} is no location file: it does not hold a zone's id. Download it again from "Manage Your Zones".`)
  }
  return zoneId.data
}

function serverAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new Stop('usage', `${text} is no server address. Give it as the portal's address, such as https://lectern.example.`)
  }
  return url.href.replace(/\/+$/, '')
}

/** The credential to enrol with: that of an enrolment that was interrupted, or the one in use, or a new one. */
async function credentialFor(folder: Folder, server: string, zoneId: string, replace: boolean): Promise<string> {
  const begun = await readEnrolling(folder)
  if (begun && begun.server === server && begun.zoneId === zoneId) return begun.credential
  if (replace) return newCredential()
  const enrolment = await readEnrolment(folder)
  if (!enrolment) return newCredential()
  // The same zone at another address is the same portal, moved.
  if (enrolment.zoneId === zoneId) return enrolment.credential
  throw new Stop(
    'usage',
    `This PC is already enrolled in the zone ${enrolment.zoneName} at ${enrolment.server}. Use --replace to enrol it anew, or another --state folder for a second agent.`,
  )
}

/** The number that opens the zone, and the vendor's keys where they are known; a file's number only once its signature fits. */
async function openedBy(
  given: GivenLicence,
  known: VendorKeys | null,
  server: string,
  signal: AbortSignal,
): Promise<{ number: string; keys: VendorKeys | null }> {
  if ('number' in given) return { number: given.number, keys: known }
  const keys = known ?? (await patiently(() => connectTo(server, '').call('getVendorKeys', {}, signal), signal))
  return { number: verifiedLicence(given.text, keys).licenseNumber, keys }
}

const send = (
  server: string,
  licenceNumber: string,
  { name, agentVersion }: EnrollOptions,
  own: { zoneId: string; timeZone: string; credentialHash: string },
  signal: AbortSignal,
): Promise<Enrolled> =>
  patiently(() => connectTo(server, licenceNumber).call('enrollHost', { body: { ...own, hostName: name, agentVersion } }, signal), signal)

/** Asks the server, some more times where it does not answer. Throws `Stop` with a sentence in the end. */
async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask()
    } catch (error) {
      if (error instanceof Refusal) {
        const hint = error.status === 409 ? ' Run the command again with --replace for a new credential.' : ''
        throw new Stop('refused', `The server refuses to enrol this PC: ${error.message}${hint}`, error)
      }
      if (!(error instanceof Unavailable)) throw error
      if (attempt === attempts || signal.aborted) {
        throw new Stop('unavailable', `${sentence(error)} Nothing is lost: run the same command again.`, error)
      }
      await pause(backoff(attempt), signal)
    }
  }
}
