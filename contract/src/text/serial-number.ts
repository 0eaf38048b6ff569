import * as z from 'zod/mini'
import { Name } from './text.ts'

// A serial number is part of its page's address.
export const SerialNumber = Name(64).check(z.refine((serial) => serial !== '.' && serial !== '..', 'must be more than dots'))
