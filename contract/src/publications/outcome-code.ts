import * as z from 'zod/mini'

/** Of a failure that no other try can cure. `notPossible`: no published command gives the reader the content (SER-01). */
export const OutcomeCode = z.enum(['notPossible'])
export type OutcomeCode = z.infer<typeof OutcomeCode>
