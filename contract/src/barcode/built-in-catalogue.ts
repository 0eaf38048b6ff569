import communications from './catalogue/communications.json' with { type: 'json' }
import dataFormatting from './catalogue/data-formatting.json' with { type: 'json' }
import encodingConversion from './catalogue/encoding-conversion.json' with { type: 'json' }
import prefixSuffix from './catalogue/prefix-suffix.json' with { type: 'json' }
import scannerFunctions from './catalogue/scanner-functions.json' with { type: 'json' }
import symbologies from './catalogue/symbologies.json' with { type: 'json' }
import { Catalogue } from './catalogue.ts'

export const builtInCatalogue: Catalogue = Catalogue.parse([
  communications,
  prefixSuffix,
  scannerFunctions,
  encodingConversion,
  dataFormatting,
  symbologies,
])
