import * as z from 'zod/mini'
import { OptionalLine } from './text.ts'

const separators = /[\p{Zs}\p{Pd}()./]/gu
const digits = /^\+?\d{5,15}(?:(?:x|ext|#)\d{1,6})?$/i

/** Whether a text reads as a telephone number: 5 to 15 digits, perhaps with a `+` before, separators between and an extension after. */
export const isPhoneNumber = (text: string): boolean => digits.test(text.replace(separators, ''))

/** A telephone number as a person writes it. */
export const PhoneNumber = OptionalLine(40).check(z.refine(isPhoneNumber, 'must be a phone number, such as +1 503 555 0188'))
