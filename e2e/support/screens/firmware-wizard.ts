import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import type { CDPSession, Page } from 'playwright-core'
import { northfield, type Stack, staff } from '../processes/stack.ts'

export const firmwarePath = '/codedm/manage-firmware'

/** Moves readers of the demo into a zone, as if they ran a version. */
export async function newReaders(stack: Stack, zone: { id: string; name: string }, model: UpdateModel, versions: readonly string[]) {
  for (const version of versions)
    await stack.sql(
      `with place as (select id, organization_id from zone where public_id = $1),
       firmware as (
         insert into reported_firmware (organization_id, version, version_order) select organization_id, $4, $5 from place
         on conflict (organization_id, version) do update set version_order = excluded.version_order returning id)
       update device set zone_id = place.id, firmware_id = firmware.id from place, firmware
       where device.id = (
         select d.id from device d join zone z on z.id = d.zone_id
         where d.organization_id = (select id from organization where public_id = $2) and d.device_type = $3 and z.name = 'Med-Surg 5 East' limit 1)`,
      [zone.id, northfield, model, version, versionOrder(version)],
    )
}

/** Withdraws a release of the demo, or offers it again. */
export async function offer(stack: Stack, model: UpdateModel, version: string, isOffered: boolean): Promise<void> {
  const api = await stack.api(staff)
  const release = (await api('listFirmwareReleases', {})).find((each) => each.device === model && each.version === version)!
  await api('offerFirmwareRelease', { params: { id: release.id }, body: { isOffered } })
}

export const versionSelect = (page: Page) => page.getByRole('combobox', { name: 'Select Firmware Version' })

/** Chooses a version, or the custom file, on the page that is showing. */
export async function pick(page: Page, label: string): Promise<void> {
  await versionSelect(page).click()
  await page.getByRole('option', { name: label, exact: true }).click()
}

/** Drops files onto the page's drop zone. */
export async function dropFirmware(page: Page, files: readonly { name: string; size: number }[]): Promise<void> {
  const transfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer()
    for (const { name, size } of list) data.items.add(new File([new Uint8Array(size)], name))
    return data
  }, files)
  await page.getByText('Drag one firmware file here').dispatchEvent('drop', { dataTransfer: transfer })
}

/** One session per page, as settings of two sessions do not add up. */
const networks = new WeakMap<Page, Promise<CDPSession>>()

/** Lets uploads of the page go this slowly, in bytes a second; -1 as fast as they can. */
export async function slowUploads(page: Page, uploadThroughput: number): Promise<void> {
  const network = networks.get(page) ?? page.context().newCDPSession(page)
  networks.set(page, network)
  await (await network).send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput })
}

/** What was published to a zone, by model and revision. */
export const listVersions = (stack: Stack, zoneId: string) =>
  stack.sql(
    'select device_type, revision, version, file_name, update_time from publication where zone_id = (select id from zone where public_id = $1) order by 1, 2',
    [zoneId],
  )
