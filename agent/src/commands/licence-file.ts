import { createPublicKey, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { LicenceFileHeader, LicenceFilePayload, VendorKey, VendorKeys } from '@lectern/contract/licences/licence-file.ts'
import { Stop } from '../exit-codes.ts'
import { sentence } from '../sentence.ts'
import { readText, writeJson } from '../state/durable-file.ts'
import { readEnrolment } from '../state/enrollment.ts'
import { type Folder, folderAt } from '../state/folder.ts'

/** What a licence file says, once its signature is that of one of the vendor's keys. Throws `Stop` with a sentence where it is not. Asks nobody. */
export function verifiedLicence(text: string, { keys }: VendorKeys): LicenceFilePayload {
  const [header = '', payload = '', signature = '', ...more] = text.trim().split('.')
  const said = LicenceFileHeader.safeParse(jsonIn(header)).data
  if (!said || more.length > 0 || signature === '') throw new Stop('usage', 'This is no licence file, or it was cut short.')
  const key = keys.find(({ kid }) => kid === said.kid)
  if (!key) throw new Stop('usage', 'This licence file is not signed with a key of the vendor that this PC trusts.')
  const { kty, crv, x } = key
  const bytes = Buffer.from(signature, 'base64url')
  // Another spelling of the same bytes is another file.
  const isSpelledSo = bytes.toString('base64url') === signature
  if (!isSpelledSo || !verify(null, Buffer.from(`${header}.${payload}`), createPublicKey({ key: { kty, crv, x }, format: 'jwk' }), bytes))
    throw new Stop('usage', 'This licence file was changed after it was signed: the signature does not fit.')
  const licence = LicenceFilePayload.safeParse(jsonIn(payload)).data
  if (!licence) throw new Stop('usage', 'This licence file is genuine, but says something that this version of the agent does not know.')
  return licence
}

function jsonIn(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

/** The vendor's keys in a file that somebody gives: a JWK, or a set of them. */
export async function vendorKeysIn(file: string): Promise<VendorKeys> {
  const content = await readText(file).catch((error) => {
    throw new Stop('usage', `The vendor's key ${file} cannot be read: ${sentence(error)}`, error)
  })
  if (content === null) throw new Stop('usage', `The vendor's key ${file} is not there.`)
  const keys = keysIn(content)
  if (!keys) throw new Stop('usage', `${file} holds no key of a vendor. Save it from the portal's address /api/licensing/keys.`)
  return keys
}

function keysIn(content: string): VendorKeys | undefined {
  try {
    const value = JSON.parse(content)
    const single = VendorKey.safeParse(value).data
    return single ? { keys: [single] } : VendorKeys.safeParse(value).data
  } catch {
    return undefined
  }
}

/** The vendor's keys that this PC has trusted since it was enrolled; null before. */
export async function keptVendorKeys(folder: Folder): Promise<VendorKeys | null> {
  const content = await readText(folder.vendorKeys)
  if (content === null) return null
  const keys = keysIn(content)
  if (!keys) throw new Stop('usage', `${folder.vendorKeys} is damaged. Enrol again with --replace, or with --vendor-key.`)
  return keys
}

export const keepVendorKeys = (folder: Folder, keys: VendorKeys): Promise<void> => writeJson(folder.vendorKeys, keys)

/** What opens a zone: a licence number, or the text of a licence file with its name. */
export type GivenLicence = { number: string } | { file: string; text: string }

/** What `--licence` names: a file where there is one of that name, else a number. */
export async function givenLicence(given: string): Promise<GivenLicence> {
  try {
    return { file: given, text: await readFile(given, 'utf8') }
  } catch (error) {
    if (/^[\w-]+$/.test(given)) return { number: given }
    throw new Stop('usage', `${given} is no licence number, and as a licence file it cannot be read: ${sentence(error)}`, error)
  }
}

/** `lectern-agent licence FILE`: verifies a licence file offline and says what it is, as lines for a person. */
export async function describeLicence(file: string, { state, vendorKey }: { state: string; vendorKey: string | null }): Promise<string[]> {
  const folder = folderAt(state)
  const keys = vendorKey === null ? await keptVendorKeys(folder) : await vendorKeysIn(vendorKey)
  if (!keys) throw new Stop('usage', 'This PC trusts no vendor yet: name the file of the vendor’s key with --vendor-key, or enrol first.')
  const text = await readFile(file, 'utf8').catch((error) => {
    throw new Stop('usage', `The licence file ${file} cannot be read: ${sentence(error)}`, error)
  })
  const { iss, organization, licenceType, licenseNumber, purchaseOrderNumber, serialNumbers, date } = verifiedLicence(text, keys)
  const enrolment = await readEnrolment(folder)
  if (enrolment && enrolment.organizationId !== organization.id)
    throw new Stop(
      'usage',
      `This licence is genuine, but it is of ${organization.name ?? organization.id}, and this PC is another organization's.`,
    )
  return [
    `This licence is genuine: ${iss} has signed it.`,
    `Number:         ${licenseNumber}`,
    `Type:           ${licenceType}`,
    `Organization:   ${organization.name ?? organization.id}`,
    `Purchase order: ${purchaseOrderNumber ?? 'none'}`,
    `Date:           ${date.slice(0, 10)}`,
    `Serial numbers: ${serialNumbers.length}`,
    ...serialNumbers.map((serial) => `  ${serial}`),
  ]
}
