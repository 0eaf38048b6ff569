import * as z from 'zod/mini'
import './http/sentences.ts'

const Colour = z.string().check(z.regex(/^#[0-9a-f]{6}$/i, 'must be a colour, such as #1c49ba'))

/** The brand of a printed guide. `logo` is the path of a PNG or JPEG file on the server; null for the name alone. */
const Brand = z.strictObject({
  name: z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(100, 'must have at most 100 characters')),
  logo: z._default(z.nullable(z.string()), null),
  colour: Colour,
  accent: Colour,
})
export type Brand = z.infer<typeof Brand>

const Brands = z.tuple([Brand, Brand])

export const defaultBrands = (providerName: string): readonly [Brand, Brand] => [
  { name: providerName, logo: null, colour: '#151a20', accent: '#1c49ba' },
  { name: 'Lectern', logo: null, colour: '#20242a', accent: '#146736' },
]

/** @param text JSON of two brands. Throws an Error that names the mistake. */
export function parseBrands(text: string): readonly [Brand, Brand] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`BRANDS: must be JSON. ${(error as Error).message}`)
  }
  const parsed = Brands.safeParse(value)
  if (!parsed.success) throw new Error(parsed.error.issues.map(({ path, message }) => `BRANDS ${path.join('.')}: ${message}`).join('\n'))
  return parsed.data
}
