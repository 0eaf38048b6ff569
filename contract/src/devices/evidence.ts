import * as z from 'zod/mini'

/** Best first: the vendor's guide, the operator's file, a listing that the guide does not confirm, a conclusion from others, none. */
export const evidences = ['published', 'operator', 'secondary', 'inferred', 'unknown'] as const
export const Evidence = z.enum(evidences)
export type Evidence = z.infer<typeof Evidence>
