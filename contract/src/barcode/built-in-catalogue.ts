import * as z from 'zod/mini'
import communications from './catalogue/communications.json' with { type: 'json' }
import dataFormatting from './catalogue/data-formatting.json' with { type: 'json' }
import encodingConversion from './catalogue/encoding-conversion.json' with { type: 'json' }
import prefixSuffix from './catalogue/prefix-suffix.json' with { type: 'json' }
import scannerFunctions from './catalogue/scanner-functions.json' with { type: 'json' }
import symbologies from './catalogue/symbologies.json' with { type: 'json' }
import unplaced from './catalogue/unplaced.json' with { type: 'json' }
import { BuilderDevice, Catalogue, Evidence } from './catalogue.ts'

/** The six categories that come with the program (spec §9). */
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
  /** Done once when read, a question to the reader, or what the catalogue has already. */
  kind: z.enum(['action', 'query', 'duplicate', 'combination']),
  description: z.string(),
  commands: z.array(z.string()),
  devices: z.array(BuilderDevice),
  evidence: Evidence,
  /** Why it is no option. */
  reason: z.string(),
})
export type UnplacedSetting = z.infer<typeof UnplacedSetting>

/** The vendor's settings that are no option of the catalogue. */
export const unplacedSettings: UnplacedSetting[] = z.array(UnplacedSetting).parse(unplaced)
