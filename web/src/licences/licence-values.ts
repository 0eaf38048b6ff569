import { LicenceInput, type LicenceType, purchaseOrderProblem } from '@lectern/contract/licences/licences.ts'
import type { FieldErrors, Resolver } from 'react-hook-form'

/** A licence as its form holds it. */
export interface LicenceValues {
  /** The type's id. */
  licenseId: string
  /** One a line, or with commas between them. */
  serialNumbers: string
  purchaseOrderNumber: string
  /** Empty: a new one is made. */
  licenseNumber: string
}

/** The serial numbers in a text that somebody typed or pasted, each once. */
export const serialsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n\r,;\t]+/)
      .map((serial) => serial.trim())
      .filter((serial) => serial !== ''),
  ),
]

/** What the call takes. */
export const licenceInput = ({ licenseId, serialNumbers, purchaseOrderNumber, licenseNumber }: LicenceValues) => ({
  licenseId: Number(licenseId),
  serialNumbers: serialsIn(serialNumbers),
  purchaseOrderNumber: purchaseOrderNumber.trim() || null,
  licenseNumber: licenseNumber.trim() || null,
})

/** What the form holds its values against: the call's body, and that a type may need a purchase order (spec §3). */
export function licenceResolver(types: readonly LicenceType[]): Resolver<LicenceValues> {
  return (values) => {
    const input = licenceInput(values)
    const errors: FieldErrors<LicenceValues> = {}
    for (const { path, message } of LicenceInput.safeParse(input).error?.issues ?? []) {
      const [field, place] = path as [keyof LicenceValues, number?]
      const about = place === undefined ? message : `Serial number ${place + 1}, ${input.serialNumbers[place]?.slice(0, 20)}, ${message}.`
      errors[field] ??= { type: 'schema', message: about }
    }
    const type = types.find(({ licenseId }) => licenseId === input.licenseId)
    const missing = type && purchaseOrderProblem(type, input.purchaseOrderNumber)
    if (missing) errors.purchaseOrderNumber ??= { type: 'needed', message: missing }
    return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors }
  }
}
