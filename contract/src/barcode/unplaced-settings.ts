import * as z from 'zod/mini'
import { Evidence } from '../devices/evidence.ts'
import unplaced from './catalogue/unplaced.json' with { type: 'json' }
import { BuilderDevice } from './catalogue.ts'

const UnplacedSetting = z.strictObject({
  code: z.optional(z.string()),
  kind: z.enum(['action', 'query', 'duplicate', 'combination']),
  description: z.string(),
  commands: z.array(z.string()),
  devices: z.array(BuilderDevice),
  evidence: Evidence,
  reason: z.string(),
})
export type UnplacedSetting = z.infer<typeof UnplacedSetting>

export const unplacedSettings: UnplacedSetting[] = z.array(UnplacedSetting).parse(unplaced)
