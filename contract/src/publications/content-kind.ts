import * as z from 'zod/mini'

export const ContentKind = z.enum(['configuration', 'firmware'])
export type ContentKind = z.infer<typeof ContentKind>
