import { createHash, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import * as z from 'zod/mini'
import { readJson, readText, writeJson } from './durable-file.ts'
import type { Folder } from './folder.ts'

const Text = z.string().check(z.minLength(1))

const PendingEnrollment = z.object({
  server: Text,
  zoneId: Text,
  /** 32 bytes in base64url, stored before they are sent and never printed (decision 4). */
  credential: Text,
})
export type PendingEnrollment = z.infer<typeof PendingEnrollment>

const StoredEnrollment = z.extend(PendingEnrollment, {
  hostId: Text,
  hostName: z.string(),
  zoneName: z.string(),
  organizationId: z.string(),
  /** Null: the time zone of the PC. */
  timeZone: z._default(z.nullable(z.string()), null),
})
export type StoredEnrollment = z.infer<typeof StoredEnrollment>

export const newCredential = (): string => randomBytes(32).toString('base64url')

export const credentialHash = (credential: string): string => createHash('sha256').update(credential).digest('hex')

/** Null: not enrolled. Throws where the file is damaged. */
export async function readEnrollment(folder: Folder): Promise<StoredEnrollment | null> {
  const stored = await readJson(folder.enrollment, StoredEnrollment)
  if (!stored && (await readText(folder.enrollment)) !== null)
    throw new Error(`${folder.enrollment} is damaged. Enroll again with --replace.`)
  return stored
}

export const readPendingEnrollment = (folder: Folder): Promise<PendingEnrollment | null> => readJson(folder.enrolling, PendingEnrollment)

export const storePendingEnrollment = (folder: Folder, pending: PendingEnrollment): Promise<void> => writeJson(folder.enrolling, pending)

export async function storeEnrollment(folder: Folder, enrollment: StoredEnrollment): Promise<void> {
  await writeJson(folder.enrollment, enrollment)
  await rm(folder.enrolling, { force: true })
}
