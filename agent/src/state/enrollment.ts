import { createHash, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { readJson, readText, writeJson } from './durable-file.ts'
import type { Folder } from './folder.ts'

/** A credential this agent has made, and where it is meant to be used. */
export interface Enrolling {
  server: string
  zoneId: string
  /** 32 random bytes in base64url. Never sent before it is used, never printed. */
  credential: string
}

/** What the server answered to it. */
export interface KeptEnrolment extends Enrolling {
  hostId: string
  hostName: string
  zoneName: string
  organizationId: string
  /** Null: the host's own. */
  timeZone: string | null
}

const text = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isEnrolling = (value: unknown): value is Enrolling => {
  const { server, zoneId, credential } = (value ?? {}) as Record<string, unknown>
  return text(server) && text(zoneId) && text(credential)
}

const enrollingSchema = {
  safeParse: (value: unknown): { success: boolean; data?: Enrolling } =>
    isEnrolling(value) ? { success: true, data: value } : { success: false },
}
const enrolmentSchema = {
  safeParse: (value: unknown): { success: boolean; data?: KeptEnrolment } =>
    isEnrolling(value) && text((value as KeptEnrolment).hostId) ? { success: true, data: value as KeptEnrolment } : { success: false },
}

export const newCredential = (): string => randomBytes(32).toString('base64url')

/** What the server keeps of a credential: SHA-256, in hexadecimal. */
export const credentialHash = (credential: string): string => createHash('sha256').update(credential).digest('hex')

/** The enrolment, or null. Throws a sentence where the file is there but damaged. */
export async function readEnrolment(folder: Folder): Promise<KeptEnrolment | null> {
  const kept = await readJson(folder.enrolment, enrolmentSchema)
  if (!kept && (await readText(folder.enrolment)) !== null) throw new Error(`${folder.enrolment} is damaged; enrol again with --replace`)
  return kept
}

export const readEnrolling = (folder: Folder): Promise<Enrolling | null> => readJson(folder.enrolling, enrollingSchema)

export const keepEnrolling = (folder: Folder, enrolling: Enrolling): Promise<void> => writeJson(folder.enrolling, enrolling)

/** Keeps the enrolment, and only then forgets that it was under way. */
export async function keepEnrolment(folder: Folder, enrolment: KeptEnrolment): Promise<void> {
  await writeJson(folder.enrolment, enrolment)
  await rm(folder.enrolling, { force: true })
}
