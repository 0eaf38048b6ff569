import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { logins } from '../../postgres/logins.ts'
import { createDatabase, createEmptyDatabase, openPool } from '../../testing/database/database.ts'
import { findingTables } from '../../testing/database/organization-guard.ts'
import { readRollout } from '../../testing/rollout-zone.ts'
import { startServer } from '../../testing/server.ts'
import { migrate } from './migrate.ts'
import { secureTables } from './row-security.ts'

const folder = new URL('../../../migrations/', import.meta.url)
const zoneId = '0198c0de-0000-7000-8000-0000000000a1'
const rolloutId = '0198c0de-0000-7000-8000-0000000000b1'
const publicationId = '0198c0de-0000-7000-8000-0000000000b2'

/** A database as the version before left it, for the time of a test. */
async function formerDatabase(): Promise<{ url: string; pool: pg.Pool }> {
  const url = await createEmptyDatabase()
  const pool = openPool(url)
  await pool.query('create table migration (name text primary key, migrated_at timestamptz not null default now())')
  for (const file of (await readdir(folder)).sort().filter((one) => one < '0023')) {
    await pool.query(await readFile(new URL(file, folder), 'utf8'))
    await pool.query('insert into migration (name) values ($1)', [file])
  }
  return { url, pool }
}

/**
 * Two organizations with equal names. A has two readers at a host, seen at one time, an older one there, and one whose zone is gone; and a
 * rollout that reached one of them and failed on another.
 */
const former = `
  insert into organization (id, name) values ('a', 'Alpha'), ('b', 'Beta');
  insert into zone (id, organization_id, name) values ('${zoneId}', 'a', 'ICU'), (gen_random_uuid(), 'b', 'ICU');
  insert into licence (id, organization_id, licence_number) select gen_random_uuid(), id, 'LEC-' || id from organization;
  insert into host (id, organization_id, zone_id, licence_id, name, time_zone, agent_version, credential_hash, last_seen_at)
    select gen_random_uuid(), z.organization_id, z.id, l.id, 'HOST', 'UTC', '1', z.organization_id, '2026-03-02T10:00:00Z'
    from zone z join licence l using (organization_id);
  insert into device (id, organization_id, serial_number, device_type, zone_id, zone_name, host_id, host_name, warranty_until, low_battery, firmware_order, simulated)
    select ('0198c0de-0000-7000-8000-0000000000' || ascii(s))::uuid, o.id, s, 'CR2700', case when s <> 'D' then z.id end, case when s <> 'D' then 'ICU' end,
      case when s <> 'D' then h.id end, case when s <> 'D' then 'HOST' end, '2030-01-31', s = 'C', case when s <> 'D' then '000000000004.000000000009' end, s = 'B'
    from organization o join zone z on z.organization_id = o.id join host h on h.organization_id = o.id, unnest(array['A', 'B', 'C', 'D']) s where o.id = 'a';
  insert into device_state (device_id, organization_id, last_seen_at, battery_health, current_config, config_hash, current_firmware, firmware_order,
      last_updated_at, low_battery)
    select id, organization_id, case serial_number when 'C' then timestamptz '2026-02-01T10:00:00Z' when 'D' then '2026-01-01T10:00:00Z' else '2026-03-02T10:00:00Z' end,
      case when low_battery then 7.5 end, 'rules.js', repeat('c', 64), case when serial_number <> 'D' then '4.9' end, firmware_order, '2025-12-01T00:00:00Z', low_battery
    from device;
  insert into rollout (id, organization_id, published_at) values ('${rolloutId}', 'a', '2026-03-01T00:00:00Z');
  insert into publication (id, organization_id, zone_id, zone_name, device_type, revision, content, content_hash, size, file_name, update_time, rollout_id)
    values ('${publicationId}', 'a', '${zoneId}', 'ICU', 'CR2700', 1, 'file', repeat('a', 64), 10, 'next.js', '02:00', '${rolloutId}');
  insert into desired_configuration (organization_id, zone_id, device_type, publication_id, revision) values ('a', '${zoneId}', 'CR2700', '${publicationId}', 1);
  insert into outcome (publication_id, device_id, organization_id, outcome, reason, happened_at)
    select '${publicationId}', id, 'a', case serial_number when 'A' then 'applied' else 'failed' end, case serial_number when 'B' then 'Locked.' end, now()
    from device where serial_number in ('A', 'B');
  insert into audit_entry (id, organization_id, change_type, target) values
    (gen_random_uuid(), 'a', 'ZoneCreate', 'ICU'), (gen_random_uuid(), null, 'deleteAd', 'Old ad');
  insert into reported_device (organization_id, device_id, reported_at, model, days)
    select 'a', 'M' || n, now(), 'TC52', datemultirange(daterange((now() at time zone 'UTC')::date, (now() at time zone 'UTC')::date + 1)) from generate_series(1, 3) n;
  insert into ad (title, description, image, url, start_date, end_date, status, created_by, created_by_name)
    values ('Old', 'Ad', 'http://localhost/a.png', 'HTTP://127.0.0.1/x', '2026-01-01', '2999-01-01', 1, 'staff@vendor.example', 'Staff');
  insert into product (id, title, short, description, product_type, product_image, faq, documents) values (900, 'Old', 'Old', 'Old', 'Other', 'http://localhost/p.png', '[]',
    '[{"title": "Kept", "url": "/kept.pdf"}, {"title": "Local", "url": "http://localhost/local.pdf"}]');
`

test('a database of the version before shows the same afterwards', { timeout: 120_000 }, async () => {
  const { url, pool } = await formerDatabase()
  await pool.query(former)
  await migrate(pool)
  await secureTables(pool, logins)
  const server = await startServer({ databaseUrl: url })
  onTestFinished(server.stop)
  const staff = await server.person({
    permissions: ['global:access:organizations', 'global:access:analytics', 'access:audit_log', 'manage:cfg', 'manage:firmware'],
  })
  const params = { organizationId: 'a' }
  const query = { ColumnName: 'DeviceSerialNumber', Direction: 'Ascending' } as const
  const { deviceList, totalCount } = (await staff.call('listDevices', { params, query })).body
  const same = {
    deviceType: 'CR2700',
    lastUpdatedDate: '2025-12-01T00:00:00.000Z',
    currentConfig: 'rules.js',
    warrantyRemaining: '2030-01-31',
  }
  const placed = { ...same, zone: 'ICU', host: 'HOST', currentFirmware: '4.9' }
  expect(deviceList).toEqual([
    { ...placed, serialNumber: 'A', lastSeen: '2026-03-02T10:00:00.000Z' },
    { ...placed, serialNumber: 'B', lastSeen: '2026-03-02T10:00:00.000Z', simulated: true },
    { ...placed, serialNumber: 'C', lastSeen: '2026-02-01T10:00:00.000Z', batteryHealth: 7.5 },
    { ...same, serialNumber: 'D', zone: '', lastSeen: '2026-01-01T10:00:00.000Z' },
  ])
  expect(totalCount).toBe(4)
  const bySeen = { ColumnName: 'LastSeen', Direction: 'Ascending', onlyBadBattery: true } as const
  expect((await staff.call('listDevices', { params, query: bySeen })).body.deviceList).toMatchObject([{ serialNumber: 'C' }])
  const byFirmware = { ColumnName: 'DeviceFirmwareVersion', Direction: 'Ascending' } as const
  const sorted = (await staff.call('listDevices', { params, query: byFirmware })).body.deviceList
  expect(sorted.map(({ serialNumber }) => serialNumber)).toEqual(['A', 'B', 'C', 'D'])
  expect((await staff.call('getDeviceTotals', { params })).body).toMatchObject({ allDevices: 4, batteryHealth: 1, simulated: 1 })
  expect((await staff.call('getOrganizationSummary', { params })).body).toMatchObject({ readers: 4, simulated: 1 })
  const rollout = await readRollout(staff, { ...params, id: rolloutId })
  expect(rollout.parts).toMatchObject([{ zoneId, zone: 'ICU', counts: { readers: 3, applied: 1, failed: 1 } }])
  expect(rollout.failed).toMatchObject([{ serialNumber: 'B', reason: 'Locked.' }])
  expect((await staff.call('listAuditEntries', { params, query: { PageNumber: 0 } })).body.entryList).toMatchObject([
    { organizationId: 'a', changeType: 'ZoneCreate', target: 'ICU' },
  ])
  expect((await staff.call('listVendorAuditEntries', { query: { PageNumber: 0 } })).body.entryList).toMatchObject([
    { organizationId: null, target: 'Old ad' },
  ])
  for (const { body } of [await staff.call('getDeviceModels', { params }), await staff.call('getGlobalDeviceModels', {})])
    expect(body).toMatchObject({ labels: ['TC52'], datasets: [{ data: [3] }] })
  expect((await staff.call('listDevices', { params: { organizationId: 'b' } })).body.totalCount).toBe(0)
  expect((await staff.call('listAds')).body).toMatchObject([{ adsImage: 'https://localhost/a.png', adsUrl: 'https://127.0.0.1/x' }])
  expect((await staff.call('getProduct', { params: { id: 900 } })).body).toMatchObject({
    productImage: 'https://localhost/p.png',
    documents: [
      { title: 'Kept', url: '/kept.pdf' },
      { title: 'Local', url: 'https://localhost/local.pdf' },
    ],
  })
})

test('[OUT-02] every key of a tenant’s table begins with its organization', async () => {
  const { url, drop } = await createDatabase()
  onTestFinished(drop)
  const pool = openPool(url)
  const { rows } = await pool.query<{ name: string }>(
    `
    select conrelid::regclass || '.' || conname as name from pg_constraint c
    where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f') and not conrelid::regclass::text = any($1)
      and exists (select from pg_attribute where attrelid = conrelid and attname = 'organization_id' and not attisdropped)
      and (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1]) <> 'organization_id'
      and not (contype = 'f' and confrelid::regclass::text in ('"user"', 'licence_type'))
    union all
    select indexrelid::regclass::text from pg_index i
    where indisunique and indrelid::regclass::text <> all($1) and indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      and exists (select from pg_attribute where attrelid = indrelid and attname = 'organization_id' and not attisdropped)
      and (select attname from pg_attribute where attrelid = indrelid and attnum = indkey[0]) is distinct from 'organization_id'`,
    [findingTables],
  )
  expect(rows).toEqual([])
})
