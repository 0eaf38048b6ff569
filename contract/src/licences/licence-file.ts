import * as z from 'zod/mini'

/** The `typ` of a licence file: a compact JWS with an Ed25519 signature. */
export const licenceFileType = 'lectern-licence+jws'
export const licenceFileAlgorithm = 'EdDSA'

export const LicenceFilePayload = z.object({
  iss: z.string(),
  organization: z.object({ id: z.string(), name: z.nullable(z.string()) }),
  licenceType: z.string(),
  licenseNumber: z.string(),
  purchaseOrderNumber: z.nullable(z.string()),
  serialNumbers: z.array(z.string()),
  date: z.iso.datetime(),
})
export type LicenceFilePayload = z.infer<typeof LicenceFilePayload>

export const VendorKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  alg: z.literal(licenceFileAlgorithm),
  use: z.literal('sig'),
})
export type VendorKey = z.infer<typeof VendorKey>

export const VendorKeys = z.object({ keys: z.array(VendorKey).check(z.minLength(1, 'must have a key')) })
export type VendorKeys = z.infer<typeof VendorKeys>

export const LicenceFileHeader = z.strictObject({
  alg: z.literal(licenceFileAlgorithm),
  typ: z.literal(licenceFileType),
  kid: z.string(),
})
