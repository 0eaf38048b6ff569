import type pg from 'pg'
import type { Ledger } from './ledger.ts'

/**
 * Compares what was acknowledged with what the database has. `lost`: missing, or as it was before. `twice`: there more often, or never
 * asked for.
 */
export interface Acknowledged {
  name: string
  compared: number
  lost: string[]
  twice: string[]
}

interface Kind {
  name: string
  /** What must be there, and how often. */
  expected: ReadonlyMap<string, number>
  /** SQL with one row for each that is there. */
  found: string
}

const once = (keys: Iterable<string>) => new Map([...keys].map((key) => [key, 1]))
const entries = (map: ReadonlyMap<string, string>) => once([...map].map(([key, value]) => `${key} ${value}`))

/** Compares what the portal has acknowledged with what the database has. */
export async function compareAcknowledged(client: pg.Client, ledger: Ledger): Promise<Acknowledged[]> {
  const found: Acknowledged[] = []
  for (const { name, expected, found: query } of [...listWrites(ledger), ...listReports(ledger)]) {
    const { rows } = await client.query<{ key: string }>(`select key from (${query}) found (key)`)
    const counts = new Map<string, number>()
    for (const { key } of rows) counts.set(key, (counts.get(key) ?? 0) + 1)
    const lost = [...expected].filter(([key, times]) => (counts.get(key) ?? 0) < times).map(([key]) => key)
    const twice = [...counts].filter(([key, times]) => times > (expected.get(key) ?? 0)).map(([key]) => key)
    found.push({ name, compared: expected.size, lost, twice })
  }
  return found
}

/** Those for which the run knows whether they must be there. */
const known = (there: ReadonlyMap<string, boolean>) => [...there].filter(([, isThere]) => isThere).map(([key]) => key)
const inList = (keys: Iterable<string>) => `(${["''", ...[...keys].map((key) => `'${key}'`)].join()})`

const listWrites = (ledger: Ledger): Kind[] => [
  { name: 'publications', expected: once(ledger.publications), found: 'select rollout_id::text from publication' },
  {
    name: 'zones that were made and not deleted',
    expected: once(known(ledger.zones)),
    found: `select public_id::text from zone where public_id::text in ${inList(ledger.zones.keys())}`,
  },
  {
    name: 'registered readers that were not deleted',
    expected: once(known(ledger.registered)),
    found: 'select id::text from reader',
  },
  {
    name: 'audit entries',
    expected: ledger.entries,
    // Called by something that is used once.
    found: `select coalesce(o.public_id, '') || ' ' || change_type || ' ' || coalesce(case
        when change_type in ('ZoneCreate', 'ZoneDelete', 'enrolHost', 'removeHost') then target
        when change_type in ('FirmwareInstalled', 'moveDevice', 'createReader', 'deleteReader') then device_serial end, '')
      from audit_entry e left join organization o on o.id = e.organization_id`,
  },
]

const listReports = (ledger: Ledger): Kind[] => [
  {
    name: 'outcomes',
    expected: entries(ledger.outcomes),
    found: `select publication_id || ' ' || serial_number || ' ' || outcome from outcome o
      join device d on d.organization_id = o.organization_id and d.id = o.device_id`,
  },
  {
    name: 'last reports of readers',
    expected: once(
      [...ledger.readers.values()].map(({ organization, serialNumber, zone, host, deviceType, firmware, configuration, battery }) =>
        [organization, serialNumber, zone, host, deviceType, firmware ?? '-', configuration ?? '-', battery ?? '-'].join(' '),
      ),
    ),
    found: `select concat_ws(' ', o.public_id, serial_number, coalesce(z.public_id::text, '-'), coalesce(h.name, '-'), device_type, coalesce(f.version, '-'),
        coalesce(c.label, '-'), coalesce(battery_health::text, '-'))
      from device d join organization o on o.id = d.organization_id
      left join zone z on z.organization_id = o.id and z.id = d.zone_id left join host h on h.organization_id = o.id and h.id = d.host_id
      left join reported_firmware f on f.organization_id = o.id and f.id = d.firmware_id
      left join reported_configuration c on c.organization_id = o.id and c.id = d.configuration_id`,
  },
  {
    name: 'last check-ins of host PCs',
    expected: entries(ledger.digests),
    found: `select o.public_id || ' ' || h.name || ' ' || reported_digest from host h join organization o on o.id = h.organization_id where revoked_at is null and reported_digest is not null`,
  },
  {
    name: 'days of devices in the device log',
    expected: once(ledger.days),
    found: `select o.public_id || ' ' || device_id || ' ' || (lower(span) + n) from reported_device d join organization o on o.id = d.organization_id,
      unnest(days) span, generate_series(0, upper(span) - lower(span) - 1) n where device_id like 'MOBILE-%'`,
  },
]
