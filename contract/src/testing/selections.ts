import fc from 'fast-check'
import { type BuilderDevice, type Catalogue, listOptions, listWays, type Option, type SelectionValue } from '../barcode/catalogue.ts'
import { catalogueFor } from '../barcode/catalogue-devices.ts'
import type { Selection } from '../barcode/selection.ts'

/** Latin-1 texts, often with what ends quotes, commands and payloads. */
export const hostileText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
      fc.constantFrom('"', '/', '/0', '/22', ',', '\x03', '\x04', '"\x03CFR\x03', '{value}', '$&', ' '),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(''))

/** Selections among a reader's options that have commands, often of options that share commands. */
export function selections(catalogue: Catalogue, device: BuilderDevice): fc.Arbitrary<Selection> {
  const options = listOptions(catalogueFor(catalogue, device)).filter(({ evidence }) => evidence !== 'unknown')
  const sharing = options.filter((option) =>
    options.some((other) => other !== option && sent(option).some((command) => sent(other).includes(command))),
  )
  return fc
    .tuple(fc.subarray(sharing), fc.uniqueArray(fc.constantFrom(...options), { maxLength: 10 }))
    .map((chosen) => [...new Set(chosen.flat())])
    .filter((chosen) => chosen.length > 0)
    .chain((chosen) => fc.tuple(...chosen.map((option) => values(option).map((value) => [option.id, value] as const))))
    .map((entries) => Object.fromEntries(entries))
}

const sent = (option: Option): string[] => [
  ...listWays(option).flatMap(({ commands }) => commands),
  ...(option.type === 'string' || option.type === 'number' ? (option.formatter ?? []) : []),
]

function values(option: Option): fc.Arbitrary<SelectionValue> {
  const known = listWays(option).map(({ value }) => value)
  const open =
    option.type === 'string'
      ? [hostileText.map((text) => text.slice(0, option.maxLength))]
      : option.type === 'number'
        ? [fc.integer({ min: option.bounds[0], max: option.bounds[1] ?? Number.MAX_SAFE_INTEGER })]
        : []
  return fc.oneof(...(known.length > 0 ? [fc.constantFrom(...known)] : []), ...open)
}
