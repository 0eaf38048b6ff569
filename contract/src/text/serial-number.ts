import * as z from 'zod/mini'
import { Line } from './text.ts'

// It is part of its page's address.
export const SerialNumber = Line(64).check(z.refine((serial) => serial !== '.' && serial !== '..', 'must be more than dots'))
