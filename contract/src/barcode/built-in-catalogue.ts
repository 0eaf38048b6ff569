import * as z from 'zod/mini'
import { Evidence } from '../devices/evidence.ts'
import communications from './catalogue/communications.json' with { type: 'json' }
import dataFormatting from './catalogue/data-formatting.json' with { type: 'json' }
import encodingConversion from './catalogue/encoding-conversion.json' with { type: 'json' }
import prefixSuffix from './catalogue/prefix-suffix.json' with { type: 'json' }
import scannerFunctions from './catalogue/scanner-functions.json' with { type: 'json' }
import symbologies from './catalogue/symbologies.json' with { type: 'json' }
import unplaced from './catalogue/unplaced.json' with { type: 'json' }
import { BuilderDevice, Catalogue } from './catalogue.ts'

export const builtInCatalogue: Catalogue = Catalogue.parse([
  communications,
  prefixSuffix,
  scannerFunctions,
  encodingConversion,
  dataFormatting,
  symbologies,
])

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
