import { createHash, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import * as z from 'zod/mini'
import { Stop } from '../stop.ts'
import { readJson, readText, writeJson } from './durable-file.ts'
import type { Folder } from './folder.ts'
import { withRemedy } from './folder-remedies.ts'

const Text = z.string().check(z.minLength(1))

const PendingEnrollment = z.object({
  server: Text,
  zoneId: Text,
  /** 32 bytes in base64url, stored before they are sent and never printed (decision 4). */
  credential: Text,
})
export type PendingEnrollment = z.infer<typeof PendingEnrollment>

const StoredProxy = z.object({
  address: Text,
  user: z.string(),
  password: z.string(),
})

/** A newer agent may write a higher one, which this one cannot read. */
const enrollmentVersion = 1

/** Fields of newer agents are kept (AGT-13). */
const StoredEnrollment = z.looseObject({
  ...PendingEnrollment.shape,
  version: z._default(z.int(), enrollmentVersion),
  hostId: Text,
  hostName: z.string(),
  zoneName: z.string(),
  organizationId: z.string(),
  /** Null: the time zone of the PC. */
  timeZone: z._default(z.nullable(z.string()), null),
  /** Whether the person at the PC allowed a connection that is not encrypted. */
  allowHttp: z._default(z.boolean(), false),
  /** The proxy that the person at the PC named. Absent: that of the environment. */
  proxy: z.optional(StoredProxy),
  /** Certificates of authorities in PEM, beside those of the PC's own store. */
  ca: z.optional(Text),
  /** `bindToMachine` of the PC on which it was made; absent where that has no id, or an older agent made it. */
  machine: z.optional(z.string()),
})
export type StoredEnrollment = z.infer<typeof StoredEnrollment>

export const newCredential = (): string => randomBytes(32).toString('base64url')

export const credentialHash = (credential: string): string => createHash('sha256').update(credential).digest('hex')

const Versioned = z.looseObject({ version: z.int() })

/** Null: not enrolled. Throws `Stop` where the file is damaged, or of a newer agent. */
export const readEnrollment = (folder: Folder): Promise<StoredEnrollment | null> =>
  withRemedy(folder, async () => {
    const written = await readJson(folder.enrollment, Versioned)
    if (written && written.version > enrollmentVersion)
      throw new Stop('stateFolder', `A newer agent wrote ${folder.enrollment}. Install that agent again, or enroll with --replace.`)
    const stored = await readJson(folder.enrollment, StoredEnrollment)
    if (!stored && (await readText(folder.enrollment)) !== null)
      throw new Stop('stateFolder', `${folder.enrollment} is damaged. Enroll again with --replace.`)
    return stored
  })

export const readPendingEnrollment = (folder: Folder): Promise<PendingEnrollment | null> => readJson(folder.enrolling, PendingEnrollment)

export const storePendingEnrollment = (folder: Folder, pending: PendingEnrollment): Promise<void> => writeJson(folder.enrolling, pending)

/** Binds an enrollment that an older agent made. */
export const storeMachine = (folder: Folder, enrollment: StoredEnrollment, machine: string): Promise<void> =>
  writeJson(folder.enrollment, { ...enrollment, machine })

/** The command by which this PC becomes a new host PC. */
export const enrollAnewCommand = ({ server }: Pick<StoredEnrollment, 'server'>): string =>
  `lectern-agent enroll Location.ctxdm --server ${server} --licence … --replace`

/** `before`: the enrollment that goes on, whose further fields stay; null for a new one. */
export async function storeEnrollment(
  folder: Folder,
  enrollment: Omit<StoredEnrollment, 'version'>,
  before: StoredEnrollment | null,
): Promise<void> {
  await writeJson(folder.enrollment, { ...before, ...enrollment, version: enrollmentVersion })
  await rm(folder.enrolling, { force: true })
}
