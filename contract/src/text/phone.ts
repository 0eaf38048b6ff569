import * as z from 'zod/mini'
import { OptionalLine } from './text.ts'

const separators = /[\p{Zs}\p{Pd}()./]/gu
const digits = /^\+?\d{5,15}(?:(?:x|ext|#)\d{1,6})?$/i

/** 5 to 15 digits, perhaps with a `+`, separators and an extension. */
export const isPhoneNumber = (text: string): boolean => digits.test(text.replace(separators, ''))

export const PhoneNumber = OptionalLine(40).check(z.refine(isPhoneNumber, 'must be a phone number, such as +1 503 555 0188'))
