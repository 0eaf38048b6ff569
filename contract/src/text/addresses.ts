import * as z from 'zod/mini'
import { isSafeAddress } from './safe-address.ts'

export const Address = (max: number) =>
  z.string().check(
    z.maxLength(max, `must have at most ${max} characters`),
    z.refine((text) => text.isWellFormed() && isSafeAddress(text), 'must be an https:// address'),
  )
