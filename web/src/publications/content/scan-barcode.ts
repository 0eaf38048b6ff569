import { encodeEnvelope } from '@lectern/contract/barcode/envelope.ts'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import type { Evidence } from '@lectern/contract/devices/evidence.ts'
import { scanBarcodeSegments } from '@lectern/contract/publications/cfg.ts'
import { encode } from 'uqr'

/**
 * How well the commands of a part are known.
 * published: the vendor's guide gives the commands and their use for this model.
 * secondary: a listing of the vendor's settings gives them.
 * inferred: the guide gives the commands, but does not say that they are this part.
 * unknown: no public document gives the commands, so nothing is drawn.
 */
type ScanEvidence = Exclude<Evidence, 'operator'>

export interface ScanPart {
  commands: readonly string[]
  evidence: ScanEvidence
  /** What scanning the part does, as a sentence without its full stop. */
  does: string
}

const makeReaderPart = (evidence: ScanEvidence): ScanPart => ({
  commands: ['CFG'],
  evidence,
  does: 'the reader sends its whole configuration, as keystrokes',
})

/** The part of a charging base. A base cannot scan, so its commands go through a reader that is paired with it (M20424). */
const base: ScanPart = {
  commands: ['BTBRXCM[BTCMPRD1]', 'BTBRXCM[CFG]', 'BTBRXCM[BTCMPRD0]'],
  evidence: 'inferred',
  does: 'the reader that is paired with the charging base sends the configuration of the base, as keystrokes',
}

const unknown: ScanPart = { commands: [], evidence: 'unknown', does: '' }

/** The first parts of each model, as far as a document has them. No document has any of V1300 and V4500. */
const knownParts: Record<UpdateModel, readonly ScanPart[]> = {
  CR1100: [makeReaderPart('secondary')],
  CR2700: [makeReaderPart('published'), base],
  'A271/2': [base],
  CR1500: [makeReaderPart('secondary')],
  CR5200: [makeReaderPart('secondary')],
  V1300: [],
  V4500: [],
}

/** Returns the parts of a model's barcode: 2 for CR2700, 5 for A271/2, else 3 (spec §9). */
export function scanParts(model: UpdateModel): ScanPart[] {
  const known = knownParts[model]
  return Array.from({ length: scanBarcodeSegments(model) }, (_, index) => known[index] ?? unknown)
}

/** Whether a document has at least one part of the model's barcode. */
export const canBeScanned = (model: UpdateModel): boolean => knownParts[model].length > 0

/** In modules. Readers do not find a symbol with a quiet zone of fewer than 4. */
const quietZone = 4

/** A drawn barcode. `size`: in modules, with the quiet zone. `path`: of an SVG, a unit per module. */
export interface Symbol {
  size: number
  path: string
}

export function scanSymbol(commands: readonly string[]): Symbol {
  const { data, size } = encode([...encodeEnvelope(commands)], { ecc: 'L', border: quietZone })
  const path = data.flatMap((row, y) =>
    row.flatMap((dark, x) => {
      if (!dark || row[x - 1]) return []
      const end = row.findIndex((each, right) => right > x && !each)
      const width = (end < 0 ? row.length : end) - x
      return `M${x} ${y}h${width}v1h-${width}z`
    }),
  )
  return { size, path: path.join('') }
}
