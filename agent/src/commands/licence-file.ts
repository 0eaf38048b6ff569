import { createPublicKey, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { LicenceFileHeader, LicenceFilePayload, VendorKey, VendorKeys } from '@lectern/contract/licences/licence-file.ts'
import { cleanName } from '@lectern/contract/text/clean-name.ts'
import { decodeFile } from '@lectern/contract/text/decode-file.ts'
import { sentence } from '../sentence.ts'
import { readText, writeJson } from '../state/durable-file.ts'
import { readEnrollment } from '../state/enrollment.ts'
import { type Folder, openFolder } from '../state/folder.ts'
import { withRemedy } from '../state/folder-remedies.ts'
import { Stop } from '../stop.ts'

/** Throws `Stop`. */
export function verifyLicence(text: string, { keys }: VendorKeys): LicenceFilePayload {
  const [header = '', payload = '', signature = '', ...more] = text.trim().split('.')
  const parsed = LicenceFileHeader.safeParse(decode(header)).data
  if (!parsed || more.length > 0 || signature === '') throw new Stop('usage', 'This is no licence file, or it was cut short.')
  const key = keys.find(({ kid }) => kid === parsed.kid)
  if (!key) throw new Stop('usage', 'This licence file is not signed with a key of the vendor that this PC trusts.')
  const { kty, crv, x } = key
  const bytes = Buffer.from(signature, 'base64url')
  // Base64url can spell the same bytes in several ways.
  const isCanonical = bytes.toString('base64url') === signature
  if (!isCanonical || !verify(null, Buffer.from(`${header}.${payload}`), createPublicKey({ key: { kty, crv, x }, format: 'jwk' }), bytes))
    throw new Stop('usage', 'This licence file was changed after it was signed: the signature does not fit.')
  const licence = LicenceFilePayload.safeParse(decode(payload)).data
  if (!licence) throw new Stop('usage', 'This licence file is genuine, but this version of the agent does not know its content.')
  return licence
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

export async function readVendorKeys(file: string): Promise<VendorKeys> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    const problem = error.code === 'ENOENT' ? 'does not exist.' : `cannot be read: ${sentence(error)}`
    throw new Stop('usage', `The vendor's key ${file} ${problem}`, error)
  })
  const keys = parseKeys(decodeFile(bytes)?.text ?? '')
  if (!keys) throw new Stop('usage', `${file} has no key of a vendor. Save it from the portal's address /api/licensing/keys.`)
  return keys
}

function parseKeys(content: string): VendorKeys | undefined {
  try {
    const value = JSON.parse(content)
    const single = VendorKey.safeParse(value).data
    return single ? { keys: [single] } : VendorKeys.safeParse(value).data
  } catch {
    return undefined
  }
}

/** Null until this PC is enrolled. */
export async function storedVendorKeys(folder: Folder): Promise<VendorKeys | null> {
  const content = await readText(folder.vendorKeys)
  if (content === null) return null
  const keys = parseKeys(content)
  if (!keys) throw new Stop('usage', `${folder.vendorKeys} is damaged. Enroll again with --replace, or with --vendor-key.`)
  return keys
}

export const storeVendorKeys = (folder: Folder, keys: VendorKeys): Promise<void> => writeJson(folder.vendorKeys, keys)

export type GivenLicence = { number: string; isInFile: boolean } | { text: string }

/** A number that was copied from a page or a mail may have blanks around it. Null: it has not the form of one. */
const readNumber = (text: string): string | null => /^[\w-]+$/.exec(cleanName(text))?.[0] ?? null

/** Reads a file where there is one of this path; else it is a number. Throws `Stop`. */
export async function readGivenLicence(given: string): Promise<GivenLicence> {
  try {
    const text = decodeFile(await readFile(given))?.text ?? ''
    const number = readNumber(text)
    return number === null ? { text } : { number, isInFile: true }
  } catch (error) {
    const number = readNumber(given)
    if (number !== null) return { number, isInFile: false }
    throw new Stop('usage', `${given} is no licence number, and as a licence file it cannot be read: ${sentence(error)}`, error)
  }
}

export async function describeLicence(file: string, { state, vendorKey }: { state: string; vendorKey: string | null }): Promise<string[]> {
  const givenKeys = vendorKey === null ? null : await readVendorKeys(vendorKey)
  const bytes = await readFile(file).catch((error) => {
    throw new Stop('usage', `The licence file ${file} cannot be read: ${sentence(error)}`, error)
  })
  // After what the caller names, which the folder's owner may not read.
  const folder = await openFolder(state)
  const keys = givenKeys ?? (await withRemedy(folder, () => storedVendorKeys(folder)))
  if (!keys) throw new Stop('usage', 'This PC trusts no vendor yet. Give the file of the vendor’s key with --vendor-key, or enroll first.')
  const text = decodeFile(bytes)?.text ?? ''
  const { iss, organization, licenceType, licenseNumber, purchaseOrderNumber, serialNumbers, date } = verifyLicence(text, keys)
  const enrollment = await readEnrollment(folder)
  if (enrollment && enrollment.organizationId !== organization.id)
    throw new Stop(
      'usage',
      `This licence is genuine, but it belongs to ${organization.name ?? organization.id}, and this PC to another organization.`,
    )
  return [
    `This licence is genuine: ${iss} signed it.`,
    `Number:         ${licenseNumber}`,
    `Type:           ${licenceType}`,
    `Organization:   ${organization.name ?? organization.id}`,
    `Purchase order: ${purchaseOrderNumber ?? 'none'}`,
    `Date:           ${date.slice(0, 10)}`,
    `Serial numbers: ${serialNumbers.length}`,
    ...serialNumbers.map((serial) => `  ${serial}`),
  ]
}
