import { createHash, randomUUID } from 'node:crypto'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { firmwareFileTypes } from '@lectern/contract/firmware/firmware.ts'
import type pg from 'pg'
import type { Caller } from './calls.ts'
import type { Stand } from './stand.ts'

export interface Release {
  device: UpdateModel
  version: string
  /** The hash that readers log. */
  contentHash: string
}

/** The vendor's staff upload each version of each model. */
export async function uploadReleases(
  { issuer }: Pick<Stand, 'issuer'>,
  client: pg.Client,
  caller: Caller,
  { models, versions }: { models: readonly UpdateModel[]; versions: readonly string[] },
): Promise<Release[]> {
  const subject = randomUUID()
  await client.query(`insert into "user" (id, issuer, subject, email, email_verified) values ($1, $2, $3, 'staff@fleet.example', true)`, [
    ...[randomUUID(), `${issuer.domain}/`, subject],
  ])
  const token = await issuer.token(subject, ['global:access:organizations', 'manage:firmware'])
  const releases = models.flatMap((device) =>
    versions.map((version) => ({ device, version, contentHash: createHash('sha256').update(`${device} ${version}`).digest('hex') })),
  )
  for (const { device, version } of releases) {
    const file = new File([`${device} ${version}`], `firmware${firmwareFileTypes[device][0]}`)
    await caller.call(token, 'uploadFirmwareRelease', { fields: { device, version }, file }, randomUUID())
  }
  return releases
}
