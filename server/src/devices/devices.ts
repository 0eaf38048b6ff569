import { type Attached, kindBits } from '@lectern/contract/devices/attached.ts'
import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import { type DeviceTotals, isBatteryLow, type ModelTotals } from '@lectern/contract/devices/devices.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import type { ReportedConfiguration, ReportedDevice } from '@lectern/contract/hosts.ts'
import { configurationLabel } from '@lectern/contract/publications/publications.ts'
import { findLatestFirmware } from '../firmware/firmware.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import type { Host } from '../lib/http/caller.ts'
import { hostRemoved } from '../lib/http/problem.ts'
import { type SequenceTurn, takeTurn } from './host-sequence.ts'
import {
  countSeenWithHost,
  forgetDigests,
  insertPrevious,
  insertReportedNames,
  lockDesiredOfZone,
  lockDevices,
  lockHost,
  lockHosts,
  type MovedReader,
  type ReportedName,
  type ReportRow,
  reportColumns,
  selectDesiredOfZone,
  selectMarks,
  selectReportedNames,
  selectSeenWithHost,
  selectStoredReaders,
  updateGone,
  updateHostSeen,
  updateOnline,
  upsertDevices,
} from './reports-sql.ts'
import { countRunning, foldDeviceCounts, selectModelCounts, selectTotals, upsertLastId } from './sql.ts'
import { type Change, selectOrganizationsWithDue, selectOrganizationsWithHostsDue, updateDue, updateHostsDue } from './standing-sql.ts'

/** Ids of stored names of firmware and configurations, by `toNameKey`. Each name is stored once for all readers. */
export type NameIds = ReadonlyMap<string, number>

const toNameKey = ({ isFirmware, name, detail }: ReportedName): string => JSON.stringify(isFirmware ? [name] : [name, detail])

const toFirmwareName = (version: string): ReportedName => ({ isFirmware: true, name: version, detail: versionOrder(version) })

const toConfigurationName = ({ fileName, contentHash }: ReportedConfiguration): ReportedName => ({
  isFirmware: false,
  name: configurationLabel(fileName, contentHash),
  detail: contentHash,
})

const listNames = ({ firmware, configuration }: ReportedDevice): ReportedName[] => [
  ...(firmware === null ? [] : [toFirmwareName(firmware)]),
  ...(configuration === null ? [] : [toConfigurationName(configuration)]),
]

// @param checkNew refuses where so many names are new to the organization
export async function storeReportedNames(
  db: Database,
  organizationId: number,
  devices: readonly ReportedDevice[],
  checkNew: (amount: number) => Promise<void>,
): Promise<NameIds> {
  const names = new Map(devices.flatMap(listNames).map((name) => [toNameKey(name), name]))
  const read = async (): Promise<NameIds> => {
    if (names.size === 0) return new Map()
    const rows = await selectReportedNames(db, organizationId, [...names.values()])
    return new Map(rows.map((row) => [toNameKey(row), row.id]))
  }
  const stored = await read()
  const missing = [...names].filter(([key]) => !stored.has(key)).map(([, name]) => name)
  if (missing.length === 0) return stored
  await checkNew(missing.length)
  await insertReportedNames(db, organizationId, missing)
  return read()
}

/**
 * `driver`: null where it is not known. `digest`, `since`, `gone`: as in a check-in. `refused`: serial numbers whose report was bad, but
 * which are connected. `names`: of what readers report.
 */
interface HostReport {
  timeZone: string
  agentVersion: string
  driver: string | null
  /** Milliseconds; null where it is not known. */
  clockAhead: number | null
  knowsPhases: boolean
  withdrawals?: number | undefined
  /** The number that the host returned; undefined where it returns none. */
  sequence?: number | undefined
  /** Absent where it stays, and, without `since`, where there is nothing. */
  attached?: Attached | undefined
  simulated: boolean
  digest?: string | undefined
  since?: string | undefined
  gone: readonly string[]
  refused: readonly string[]
  names: NameIds
}

// `seen`: readers that the day's count lacks. `added`: readers that are new to the organization. `moved`: readers that were at another
// host.
export interface StoredReports {
  seen: { serialNumber: string; deviceType: string }[]
  added: number
  moved: MovedReader[]
  // Readers that report now what a roll back had taken back before they ran it.
  late: { publication: string; serialNumber: string }[]
}

/** `reports`: null where `since` is not the host's last digest. `turn`: null where the host returns no number. */
export interface StoredCheckIn {
  reports: StoredReports | null
  turn: SequenceTurn | null
}

/**
 * Writes readers whose report differs from what is stored, and one time at which all the others were seen. Without readers it writes no
 * time. Stores only the host where `since` is not the host's last digest. Throws a Problem 401 where the host was removed.
 */
export async function storeReports(
  db: Database,
  host: Host,
  devices: readonly ReportedDevice[],
  { timeZone, agentVersion, clockAhead, driver, knowsPhases, withdrawals, sequence, attached, digest, since, gone, ...about }: HostReport,
): Promise<StoredCheckIn> {
  if (devices.length > 0)
    await lockHosts(
      db,
      host,
      devices.map(({ serialNumber }) => serialNumber),
    )
  const before = await lockHost(db, host)
  if (!before) throw hostRemoved()
  const turn = sequence === undefined ? null : takeTurn(before, sequence)
  const state = {
    time_zone: timeZone,
    agent_version: agentVersion,
    driver,
    knows_phases: knowsPhases,
    ...(withdrawals !== undefined && { withdrawals }),
    ...(turn && toSequenceState(turn)),
    ...((attached !== undefined || since === undefined) && { attached: attached ? JSON.stringify(attached) : null }),
    clock_ahead: clockAhead === null ? null : toStoredSeconds(clockAhead),
  }
  // The check-in may be one that was stored already and is sent again, as its reply was lost.
  const isKnown = since === undefined || [since, digest].includes(before.digest ?? '')
  if (!isKnown) {
    // The host's digest stays: this check-in is older than those stored since.
    await updateHostSeen(db, host, state, null)
    return { reports: null, turn }
  }
  if (since === undefined && devices.length + about.refused.length === 0) {
    await updateHostSeen(db, host, { ...state, reported_digest: null }, null)
    return { reports: { seen: [], added: 0, moved: [], late: [] }, turn }
  }
  if (before.areReadersOffline) await updateOnline(db, host)
  const { written, isChanged, added, moved, late } = await storeReaders(db, host, devices, {
    ...about,
    gone: since === undefined ? null : gone,
    dueUntil: before.dueUntil,
  })
  const marks = isChanged ? await selectMarks(db, host) : {}
  await updateHostSeen(db, host, { ...state, reported_digest: digest ?? null }, marks)
  const seen = before.wasSeenToday ? written : await selectSeenWithHost(db, host)
  return { reports: { seen, added, moved, late }, turn }
}

const toSequenceState = ({ last, leftFrom, leftTo, alternations, isFound }: SequenceTurn) => ({
  sequence: last,
  left_from: leftFrom,
  left_to: leftTo,
  alternations,
  ...(isFound && { on_two_pcs_at: new Date() }),
})

// Seconds, some 63 years: about what the column holds. A clock that is further off is as wrong.
const longest = 2_000_000_000
const toStoredSeconds = (milliseconds: number): number => Math.max(-longest, Math.min(longest, Math.round(milliseconds / 1000)))

/** `gone`: null where all are gone that were not reported. `dueUntil`: the day until which warranties that end count as due. */
type AboutReaders = Pick<HostReport, 'simulated' | 'names' | 'refused'> & { gone: readonly string[] | null; dueUntil: string }

async function storeReaders(db: Database, host: Host, devices: readonly ReportedDevice[], { gone, ...about }: AboutReaders) {
  const here = [...devices.map(({ serialNumber }) => serialNumber), ...about.refused]
  const stored = here.length > 0 ? await selectStoredReaders(db, host, here) : []
  const bySerial = new Map(stored.map((row) => [row.serial_number, row]))
  const listWritten = async () => {
    const findDrift = await readDrift(db, host, devices)
    return devices
      .map((device) => ({ device, row: toReportRow(device, host, about, findDrift(device)) }))
      .filter(({ row }) => !isStored(row, bySerial.get(row.serial_number)))
  }
  let written = await listWritten()
  if (written.some(({ row }) => row.configuration_drifted || row.firmware_drifted)) {
    await lockDesiredOfZone(db, host)
    written = await listWritten()
  }
  const known = stored.filter(({ isSeenWithHost }) => isSeenWithHost).length
  const hasLeft = gone ? gone.length > 0 : (await countSeenWithHost(db, host)) > known
  const left = hasLeft ? (gone ? { gone } : { here }) : null
  if (written.length === 0 && !left) return { written: [], isChanged: false, added: 0, moved: [], late: [] }
  const rows = written.map(({ row }) => row)
  const moved = await lockDevices(
    db,
    host,
    rows.map(({ serial_number }) => serial_number),
    left,
  )
  if (left) await updateGone(db, host, left)
  const late = await keepPrevious(db, host, rows, bySerial)
  if (rows.length > 0) await upsertDevices(db, host.organizationId, rows)
  if (moved.length > 0) await forgetDigests(db, host, moved)
  const added = rows.filter(({ serial_number }) => !bySerial.has(serial_number)).length
  return { written: written.map(({ device }) => device), isChanged: true, added, moved, late }
}

/**
 * Keeps what readers ran before something that was published to them. Returns readers that run now what a roll back took back before they
 * did.
 */
async function keepPrevious(
  db: Database,
  host: Host,
  rows: readonly ReportRow[],
  bySerial: ReadonlyMap<string, StoredReader>,
): Promise<{ publication: string; serialNumber: string }[]> {
  const changes = rows.flatMap((row) => {
    const before = bySerial.get(row.serial_number)
    if (!before) return []
    return (['configuration', 'firmware'] as const).flatMap((kind) => {
      const [runs, previous] = [row[`${kind}_id`], before[`${kind}_id`]]
      return runs === null || runs === previous ? [] : [{ serialNumber: row.serial_number, kind, runs, previous: previous ?? 0 }]
    })
  })
  return changes.length === 0 ? [] : insertPrevious(db, host, changes)
}

type StoredReader = Awaited<ReturnType<typeof selectStoredReaders>>[number]

const isStored = (row: ReportRow, stored: StoredReader | undefined): boolean =>
  stored?.isSeenWithHost === true && reportColumns.every((column) => row[column] === stored[column])

interface Drift {
  configuration: boolean
  firmware: boolean
}

/** Finds readers that have drifted: they ran what their zone desires, and run something else now. */
async function readDrift(db: Database, host: Host, devices: readonly ReportedDevice[]): Promise<(device: ReportedDevice) => Drift> {
  const hadSome = devices.some(({ publication, firmwarePublication }) => publication || firmwarePublication)
  const desired = hadSome ? await selectDesiredOfZone(db, host) : []
  const find = (device: ReportedDevice, kind: 'configuration' | 'firmware') =>
    desired.find(
      (one) =>
        one.kind === kind &&
        one.deviceType === device.deviceType &&
        one.publication === (kind === 'firmware' ? device.firmwarePublication : device.publication),
    )
  return (device) => {
    const [configuration, firmware] = [find(device, 'configuration'), find(device, 'firmware')]
    const { contentHash = null, fileName = null } = device.configuration ?? {}
    return {
      configuration: configuration !== undefined && (configuration.contentHash !== contentHash || configuration.fileName !== fileName),
      // A customer's own file has no version.
      firmware: firmware?.versionOrder != null && firmware.versionOrder !== (device.firmware === null ? '' : versionOrder(device.firmware)),
    }
  }
}

function toReportRow(
  device: ReportedDevice,
  { zoneId, hostId }: Host,
  about: Omit<AboutReaders, 'gone' | 'refused'>,
  drift: Drift,
): ReportRow {
  const find = (name: ReportedName) => about.names.get(toNameKey(name)) ?? null
  return {
    serial_number: device.serialNumber,
    device_type: device.deviceType,
    zone_id: zoneId,
    host_id: hostId,
    firmware_id: device.firmware === null ? null : find(toFirmwareName(device.firmware)),
    configuration_id: device.configuration === null ? null : find(toConfigurationName(device.configuration)),
    battery_health: device.batteryHealth === null ? null : Math.fround(device.batteryHealth),
    warranty_until: device.warrantyUntil,
    low_battery: isBatteryLow(device.batteryHealth),
    warranty_due: device.warrantyUntil !== null && device.warrantyUntil <= about.dueUntil,
    configuration_drifted: drift.configuration,
    firmware_drifted: drift.firmware,
    simulated: about.simulated,
    can: device.can ? device.can.reduce((bits, kind) => bits | kindBits[kind], 0) : null,
  }
}

export async function getDeviceTotals(db: Database, scope: ZoneScope): Promise<DeviceTotals> {
  const { all, simulated, offline, low_battery, warranty_due, drifted } = await selectTotals(db, scope)
  return {
    allDevices: all,
    offline,
    batteryHealth: low_battery,
    warrantyExpirations: warranty_due,
    drifted,
    ...(simulated > 0 && { simulated }),
  }
}

export async function getModelTotals(db: Database, scope: ZoneScope, model: DeviceModel): Promise<ModelTotals> {
  const latest = await findLatestFirmware(db, model)
  const { simulated, ...all } = await selectModelCounts(db, scope, model)
  const counts = { ...all, ...(simulated > 0 && { simulated }) }
  if (latest === undefined) return counts
  return { ...counts, latestFirmware: latest, onLatest: await countRunning(db, scope, model, versionOrder(latest)) }
}

const changes = (['offline', 'warranty_due'] as const).flatMap((mark) => [true, false].map((to): Change => ({ mark, to })))

/**
 * Marks readers that became offline or whose warranty became due, and removes marks that a wrong clock has set; then folds the counts.
 * Queries are exact without it, as they add readers that are not marked yet; the sweep keeps those few. Several servers may sweep at once.
 * Returns the number of marks.
 */
export async function sweepStanding(db: Database): Promise<number> {
  let marked = 0
  const repeat = async (work: (transaction: Database) => Promise<{ marked: number; hasMore: boolean }>) => {
    for (let hasMore = true; hasMore; ) {
      const done = await db.transaction().execute(work)
      marked += done.marked
      hasMore = done.hasMore
    }
  }
  for (const change of changes)
    for (const organizationId of await selectOrganizationsWithDue(db, change))
      await repeat((transaction) => updateDue(transaction, change, organizationId))
  for (const to of [true, false])
    for (const organizationId of await selectOrganizationsWithHostsDue(db, to))
      await repeat((transaction) => updateHostsDue(transaction, to, organizationId))
  await foldDeviceCounts(db)
  await upsertLastId(db)
  return marked
}
