import { createCipheriv, createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type UpdateModel, updateModels } from '@lectern/contract/devices/device-models.ts'
import { firmwareFileTypes, maxFirmwareBytes } from '@lectern/contract/firmware/firmware.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import { uuidv7 } from 'uuidv7'
import { keepContent } from '../contents/contents.ts'
import type { ContentStore, ReceivedFile } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'

/** Versions a model: those that the demo's readers run, and for most models a newer one. */
const versions: Record<UpdateModel, readonly string[]> = {
  CR1100: ['5.0.1', '5.0.4', '5.1.0'],
  CR2700: ['4.11.3', '4.12.0', '4.13.0'],
  'A271/2': ['2.5.0', '2.6.1', '2.7.0'],
  CR1500: ['3.7.9', '3.8.2', '3.9.0'],
  CR5200: ['2.1.4', '2.2.0'],
  V1300: ['1.4.0', '1.4.2'],
  V4500: ['1.9.5', '1.9.7', '2.0.0'],
}

const size = 200_000
const notes = 'A release of the demo. Its content is made up, and only simulated readers take it.'

/** Gives a demo without firmware releases some of each model. Answers whether it did. */
export async function seedReleases(db: Database, contents: ContentStore): Promise<boolean> {
  if (await db.selectFrom('firmware_release').select('id').limit(1).executeTakeFirst()) return false
  const wanted = updateModels.flatMap((device) => versions[device].map((version) => ({ device, version })))
  const files = await Promise.all(
    wanted.map(async (release) => ({ ...release, file: await contents.receive(firmware(release), makeName(release), maxFirmwareBytes) })),
  )
  await db.transaction().execute(async (transaction) => {
    for (const { device, version, file } of files) await seedRelease(transaction, device, version, file)
  })
  return true
}

async function seedRelease(db: Database, device: UpdateModel, version: string, file: ReceivedFile): Promise<void> {
  await keepContent(db, file)
  await db
    .insertInto('firmware_release')
    .values({
      ...{ id: uuidv7(), device_type: device, version, version_order: versionOrder(version), notes },
      ...{ file_name: file.name, content_hash: file.hash, size: file.size, created_by: 'staff@quietzone.example' },
    })
    // Another server may have seeded it at the same time.
    .onConflict((conflict) => conflict.columns(['device_type', 'version_order']).doNothing())
    .execute()
}

/** Such as CR2700-4.12.0.crvfw. */
const makeName = ({ device, version }: { device: UpdateModel; version: string }) =>
  `${device.replace('/', '-')}-${version}${firmwareFileTypes[device][0]}`

/** Bytes that look like firmware, always the same of one release. */
function firmware({ device, version }: { device: UpdateModel; version: string }): Readable {
  const key = createHash('sha256').update(`${device} ${version}`).digest()
  return Readable.from([createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size))])
}
