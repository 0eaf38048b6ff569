import { updateModels } from '@lectern/contract/devices/device-models.ts'
import { firmwareFileProblem } from '@lectern/contract/firmware/firmware.ts'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'
import { seedReleases } from './releases.ts'

const server = await serverForFile()
const { db, contents } = server.app

test('the demo has releases of every model, the newest first, that a zone can be given; started again, nothing is added', async () => {
  const seedings = [await seedReleases(db, contents), await seedReleases(db, contents)]
  expect(seedings).toEqual([true, false])
  const zone = await server.zone()
  for (const device of updateModels) {
    const { body } = await zone.manager.call('listAvailableFirmware', { params: { device } })
    expect(body.length, device).toBeGreaterThanOrEqual(2)
    const params = { organizationId: zone.organization.id, location: zone.id, device }
    const answer = await zone.manager.call('publishFirmwareVersion', { params, body: { firmwareVersion: 'latest' } })
    expect(answer.body.message).toContain(`firmware ${body[0]?.version} for ${device}`)
  }
  for (const { device_type, file_name, size, content_hash } of await db.selectFrom('firmware_release').selectAll().execute()) {
    expect(firmwareFileProblem(device_type as (typeof updateModels)[number], { name: file_name, size })).toBeNull()
    expect(await contents.size(content_hash)).toBe(size)
  }
})
