import { createHash, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { readJson, readText, writeJson } from './durable-file.ts'
import type { Folder } from './folder.ts'

export interface PendingEnrollment {
  server: string
  zoneId: string
  /** 32 bytes in base64url. Stored before it is sent, never printed (decision 4). */
  credential: string
}

export interface StoredEnrollment extends PendingEnrollment {
  hostId: string
  hostName: string
  zoneName: string
  organizationId: string
  /** Null: the time zone of the PC. */
  timeZone: string | null
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isPending = (value: unknown): value is PendingEnrollment => {
  const { server, zoneId, credential } = (value ?? {}) as Record<string, unknown>
  return isText(server) && isText(zoneId) && isText(credential)
}

const pendingSchema = {
  safeParse: (value: unknown): { success: boolean; data?: PendingEnrollment } =>
    isPending(value) ? { success: true, data: value } : { success: false },
}
const storedSchema = {
  safeParse: (value: unknown): { success: boolean; data?: StoredEnrollment } =>
    isPending(value) && isText((value as StoredEnrollment).hostId)
      ? { success: true, data: value as StoredEnrollment }
      : { success: false },
}

export const newCredential = (): string => randomBytes(32).toString('base64url')

export const credentialHash = (credential: string): string => createHash('sha256').update(credential).digest('hex')

/** Null: not enrolled. Throws where the file is damaged. */
export async function readEnrollment(folder: Folder): Promise<StoredEnrollment | null> {
  const stored = await readJson(folder.enrollment, storedSchema)
  if (!stored && (await readText(folder.enrollment)) !== null)
    throw new Error(`${folder.enrollment} is damaged. Enroll again with --replace.`)
  return stored
}

export const readPendingEnrollment = (folder: Folder): Promise<PendingEnrollment | null> => readJson(folder.enrolling, pendingSchema)

export const storePendingEnrollment = (folder: Folder, pending: PendingEnrollment): Promise<void> => writeJson(folder.enrolling, pending)

export async function storeEnrollment(folder: Folder, enrollment: StoredEnrollment): Promise<void> {
  await writeJson(folder.enrollment, enrollment)
  await rm(folder.enrolling, { force: true })
}
