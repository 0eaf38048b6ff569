import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomInt } from 'node:crypto'
import { simulatedDriver } from '@lectern/contract/hosts.ts'
import {
  type LicenceFilePayload,
  licenceFileAlgorithm,
  licenceFileType,
  type VendorKey,
  type VendorKeys,
} from '@lectern/contract/licences/licence-file.ts'
import {
  type LicenceDetails,
  type LicenceFilter,
  type LicenceHostPage,
  type LicenceInput,
  type LicencePage,
  type LicenceSort,
  type LicenceType,
  purchaseOrderProblem,
  shortenLicenceNumber,
} from '@lectern/contract/licences/licences.ts'
import { quotePermissions } from '@lectern/contract/people/permission-words.ts'
import { CompactSign, calculateJwkThumbprint } from 'jose'
import { uuidv7 } from 'uuidv7'
import { recordChange } from '../audit/audit.ts'
import type { Actor } from '../lib/actor.ts'
import type { Database } from '../lib/database/database.ts'
import { getSigningSecret } from '../lib/database/signing-secret.ts'
import { findMissingPermission, type Licence as LicenceCaller, type Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { removeHostsOfLicence } from '../zones/zones.ts'
import {
  countHosts,
  countLicences,
  insertLicence,
  selectByNumber,
  selectHostPage,
  selectLicence,
  selectLicencePage,
  selectLicensee,
  selectType,
  selectTypes,
  updateDefaultType,
  updateRevoked,
} from './sql.ts'

export async function findLicence(db: Database, number: string): Promise<LicenceCaller | undefined> {
  const row = await selectByNumber(db, number)
  return row && { licenceId: row.licence_id, organizationId: row.organization_id }
}

/**
 * Keeps the licence from being revoked until the transaction ends. Returns its name for the audit log. Throws a Problem 403 where it is
 * revoked.
 */
export async function holdLicence(db: Database, { organizationId, licenceId }: LicenceCaller): Promise<string> {
  const licence = await selectLicence(db, organizationId, licenceId).forShare().executeTakeFirstOrThrow()
  const name = shortenLicenceNumber(licence.licence_number)
  if (licence.revoked_at)
    throw new Problem(403, `The licence ${name} was revoked on ${licence.revoked_at.toISOString().slice(0, 10)}. Enroll with another one.`)
  return `${name}, issued by ${licence.issued_by ?? 'the vendor'}`
}

export const getVendorKeys = async (db: Database): Promise<VendorKeys> => ({ keys: [await getPublicKey(await getPrivateKey(db))] })

// Without characters that sound or look alike.
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const group = (): string => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')

export const newLicenceNumber = (): string => `LEC-${group()}-${group()}-${group()}-${group()}`

export async function listLicenceTypes(db: Database, organizationId: number): Promise<LicenceType[]> {
  const { licence_type_id } = await selectLicensee(db, organizationId)
  return (await selectTypes(db)).map(({ id, name, need_purchase_order }) => ({
    licenseId: id,
    name,
    needPurchaseOrder: need_purchase_order,
    isDefault: id === licence_type_id,
  }))
}

/** A licence number enrolls host PCs, so only people who may enroll them see it (decision 46). */
const maySeeNumbers = (person: Person): boolean => findMissingPermission(person, ['manage:licences']) === undefined

export async function listLicences(
  db: Database,
  person: Person,
  organizationId: number,
  query: LicenceFilter & LicenceSort & { PageNumber: number; PageSize: number },
): Promise<LicencePage> {
  const { textFilter, startDate, endDate, PageNumber: pageNumber, PageSize: pageSize } = query
  if (startDate !== undefined && endDate !== undefined && startDate > endDate)
    throw refused(400, 'endDate', 'The last day must not be before the first.')
  const showsNumbers = maySeeNumbers(person)
  const filter = { ...query, showsNumbers }
  const isAll = textFilter.trim() === '' && startDate === undefined && endDate === undefined
  const total = isAll ? (await selectLicensee(db, organizationId)).licence_count : await countLicences(db, organizationId, filter)
  const rows = await selectLicencePage(db, organizationId, filter, query, { offset: pageNumber * pageSize, size: pageSize, total })
  return {
    licenses: rows.map((row) => ({ ...toLicence(row, showsNumbers), hasFile: row.has_file })),
    pageSize,
    pageNumber,
    totalCount: total,
  }
}

export async function getLicence(db: Database, person: Person, organizationId: number, id: string): Promise<LicenceDetails> {
  const row = await selectLicence(db, organizationId, id).executeTakeFirst()
  if (!row) throw notFound('licence')
  const { file } = row
  const showsNumbers = maySeeNumbers(person)
  const { active } = await countHosts(db, organizationId, id)
  return {
    ...toLicence(row, showsNumbers),
    hasFile: file !== null,
    file: file === null || !showsNumbers ? null : { name: `${row.licence_number}.licence`, content: file },
    activeHosts: active,
  }
}

export async function listLicenceHosts(
  db: Database,
  { organizationId, id }: { organizationId: number; id: string },
  { PageNumber: pageNumber, PageSize: pageSize }: { PageNumber: number; PageSize: number },
): Promise<LicenceHostPage> {
  if (!(await selectLicence(db, organizationId, id).executeTakeFirst())) throw notFound('licence')
  const { all } = await countHosts(db, organizationId, id)
  const rows = await selectHostPage(db, organizationId, id, { offset: pageNumber * pageSize, size: pageSize })
  const hosts = rows.map((row) => ({
    id: row.public_id,
    name: row.name,
    zone: row.zone_id === null || row.zone_name === null ? null : { id: row.zone_id, name: row.zone_name },
    enrolledAt: row.enrolled_at.toISOString(),
    isOnline: row.is_online,
    ...(row.revoked_at && { removedAt: row.revoked_at.toISOString() }),
    ...(row.driver === simulatedDriver && { simulated: true as const }),
  }))
  return { hosts, pageSize, pageNumber, totalCount: all }
}

interface Revocation {
  actor: Actor<Person>
  params: { organizationId: number; id: string }
  body: { removeHosts: boolean }
}

/** Where the licence is revoked already, only its hosts are removed. Throws a Problem 403 where the person may not remove hosts. */
export async function revokeLicence(db: Database, { actor, params, body: { removeHosts } }: Revocation): Promise<LicenceDetails> {
  const { organizationId, id } = params
  const missing = removeHosts && findMissingPermission(actor.caller, ['manage:firmware'])
  if (missing) throw new Problem(403, `Removing host PCs needs the permission ${quotePermissions([missing])}.`)
  // A host that is enrolling holds the licence: by now it is enrolled, or will be refused.
  const licence = await selectLicence(db, organizationId, id).forUpdate().executeTakeFirst()
  if (!licence) throw notFound('licence')
  const isNew = licence.revoked_at === null
  if (isNew) await updateRevoked(db, organizationId, id, actor.caller.email)
  const removed = removeHosts ? await removeHostsOfLicence(db, actor, organizationId, id) : 0
  if (isNew)
    await recordChange(db, actor, {
      organization_id: organizationId,
      change_type: 'revokeLicence',
      target: shortenLicenceNumber(licence.licence_number),
      new_value: removed === 0 ? null : removed === 1 ? '1 host PC' : `${removed} host PCs`,
    })
  return getLicence(db, actor.caller, organizationId, id)
}

interface Call {
  actor: Actor<Person>
  params: { organizationId: number }
  body: LicenceInput
  settings: { providerName: string }
}

export async function recordLicence(db: Database, call: Call, change: 'createLicence' | 'generateLicence'): Promise<LicenceDetails> {
  const { organizationId } = call.params
  const { serialNumbers } = call.body
  const organization = await selectLicensee(db, organizationId)
  const type = await selectType(db, call.body.licenseId ?? organization.licence_type_id)
  if (!type) throw refused(400, 'licenseId', 'There is no such licence type.')
  const purchaseOrderNumber = call.body.purchaseOrderNumber || null
  const missing = purchaseOrderProblem({ name: type.name, needPurchaseOrder: type.need_purchase_order }, purchaseOrderNumber)
  if (missing) throw refused(400, 'purchaseOrderNumber', missing)
  const licenseNumber = call.body.licenseNumber || newLicenceNumber()
  const date = new Date()
  const payload = {
    iss: call.settings.providerName,
    organization: { id: organization.public_id, name: organization.name },
    licenceType: type.name,
    licenseNumber,
    purchaseOrderNumber,
    serialNumbers,
    date: date.toISOString(),
  }
  const licence = {
    id: uuidv7(),
    organization_id: organizationId,
    licence_number: licenseNumber,
    type_id: type.id,
    serial_numbers: serialNumbers,
    purchase_order_number: purchaseOrderNumber,
    file: change === 'generateLicence' ? await signLicenceFile(db, payload) : null,
    created_at: date,
    issued_by: call.actor.caller.email,
  }
  if (!(await insertLicence(db, licence))) throw refused(409, 'licenseNumber', `The licence number ${licenseNumber} is taken.`)
  await recordChange(db, call.actor, {
    organization_id: organizationId,
    change_type: change,
    target: shortenLicenceNumber(licenseNumber),
    new_value: type.name,
  })
  return getLicence(db, call.actor.caller, organizationId, licence.id)
}

const refused = (status: number, field: string, message: string) => new Problem(status, message, { errors: [{ field, message }] })

interface LicenceRow {
  id: string
  licence_number: string
  type_id: number
  serial_numbers: string[]
  purchase_order_number: string | null
  created_at: Date
  issued_by: string | null
  revoked_at: Date | null
  revoked_by: string | null
}

const toLicence = (row: LicenceRow, showsNumbers: boolean) => ({
  id: row.id,
  serialNumbers: row.serial_numbers,
  licenseNumber: showsNumbers ? row.licence_number : shortenLicenceNumber(row.licence_number),
  purchaseOrderNumber: row.purchase_order_number,
  date: row.created_at.toISOString(),
  licenseId: row.type_id,
  issuedBy: row.issued_by,
  ...(row.revoked_at && { revoked: { at: row.revoked_at.toISOString(), by: row.revoked_by } }),
})

async function getPrivateKey(db: Database): Promise<KeyObject> {
  const make = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' })
  return createPrivateKey({ key: Buffer.from(await getSigningSecret(db, 'licence', make)), format: 'der', type: 'pkcs8' })
}

async function getPublicKey(key: KeyObject): Promise<VendorKey> {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: licenceFileAlgorithm, use: 'sig' }
}

async function signLicenceFile(db: Database, payload: LicenceFilePayload): Promise<string> {
  const key = await getPrivateKey(db)
  const { kid } = await getPublicKey(key)
  return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: licenceFileAlgorithm, typ: licenceFileType, kid })
    .sign(key)
}

/** Runs in a transaction. Without a file, the licence has the organization's default type. Returns the number. */
export async function issueLicence(db: Database, organizationId: number): Promise<string> {
  const { licence_type_id } = await selectLicensee(db, organizationId)
  const licence_number = newLicenceNumber()
  const values = { id: uuidv7(), organization_id: organizationId, licence_number, type_id: licence_type_id, created_at: new Date() }
  await insertLicence(db, { ...values, serial_numbers: [], purchase_order_number: null, file: null, issued_by: null })
  return licence_number
}

/** Returns the type's name as stored. Throws an Error for an unknown name. */
export async function setDefaultType(db: Database, organizationId: number, typeName: string): Promise<string> {
  const types = await selectTypes(db)
  const type = types.find(({ name }) => name.toLowerCase() === typeName.toLowerCase())
  if (!type) throw new Error(`There is no licence type "${typeName}". Types: ${types.map(({ name }) => name).join(', ')}.`)
  await updateDefaultType(db, organizationId, type.id)
  return type.name
}
