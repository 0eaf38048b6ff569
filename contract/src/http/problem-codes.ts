import * as z from 'zod/mini'

/** What programs tell problems apart by. A code never changes its meaning, as sentences do. Problems from before it have none yet. */
export const ProblemCode = z.enum([
  'agent-files-damaged',
  'agent-file-incomplete',
  'desk-record-exists',
  'desk-record-withdrawn',
  'desk-commands-wrong',
  'host-on-two-pcs',
])
export type ProblemCode = z.infer<typeof ProblemCode>
