import { createCipheriv, createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type UpdateModel, updateModels } from '@lectern/contract/devices/device-models.ts'
import { firmwareFileTypes, maxFirmwareBytes } from '@lectern/contract/firmware/firmware.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import { uuidv7 } from 'uuidv7'
import { storeContent } from '../contents/contents.ts'
import type { ContentStore, ReceivedFile } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import { insertRelease, selectAnyRelease } from './sql.ts'

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
const notes = 'A demo release. Only simulated readers accept its content.'

export async function seedReleases(db: Database, contents: ContentStore): Promise<boolean> {
  if (await selectAnyRelease(db)) return false
  const releases = updateModels.flatMap((device) => versions[device].map((version) => ({ device, version })))
  const files = await Promise.all(
    releases.map(async (release) => ({
      ...release,
      file: await contents.receive(createFirmware(release), toFileName(release), maxFirmwareBytes),
    })),
  )
  await db.transaction().execute(async (transaction) => {
    for (const { device, version, file } of files) await seedRelease(transaction, device, version, file)
  })
  return true
}

async function seedRelease(db: Database, device: UpdateModel, version: string, file: ReceivedFile): Promise<void> {
  await storeContent(db, file)
  await insertRelease(db, {
    id: uuidv7(),
    device_type: device,
    version,
    version_order: versionOrder(version),
    notes,
    file_name: file.name,
    content_hash: file.hash,
    size: file.size,
    created_by: 'staff@quietzone.example',
  })
}

const toFileName = ({ device, version }: { device: UpdateModel; version: string }) =>
  `${device.replace('/', '-')}-${version}${firmwareFileTypes[device][0]}`

function createFirmware({ device, version }: { device: UpdateModel; version: string }): Readable {
  const key = createHash('sha256').update(`${device} ${version}`).digest()
  return Readable.from([createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size))])
}
