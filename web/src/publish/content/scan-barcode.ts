import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { scanBarcodeSegments } from '@lectern/contract/publications/cfg.ts'
import { encode } from 'uqr'

/**
 * How sure a part of the scan barcode is. `published`: a vendor's document gives the commands and their use. `inferred`: it gives the
 * commands; that they are this part is our reading. `unknown`: no public document gives the commands, so there is nothing to draw.
 */
export type Evidence = 'published' | 'inferred' | 'unknown'

/** One part of the barcode that makes a golden-standard reader send its configuration. */
export type ScanPart = { commands: readonly string[]; evidence: Evidence; sends: string }

const reader: ScanPart = { commands: ['CFG'], evidence: 'published', sends: 'its whole configuration' }

/** Commands for the charging base travel through its reader. */
const base: ScanPart = {
  commands: ['BTBRXCM[BTCMPRD1]', 'BTBRXCM[CFG]', 'BTBRXCM[BTCMPRD0]'],
  evidence: 'inferred',
  sends: 'the configuration of its charging base',
}

const unknown: ScanPart = { commands: [], evidence: 'unknown', sends: '' }

/** What is known of the further parts, a model each; the rest is unknown. */
const furtherParts: Partial<Record<UpdateModel, readonly ScanPart[]>> = { CR2700: [base] }

/** The parts of a model's scan barcode, as many as the specification counts: 2 for CR2700, 5 for A271/2, else 3 (spec §9). */
export function scanParts(model: UpdateModel): ScanPart[] {
  const known = [reader, ...(furtherParts[model] ?? [])]
  return Array.from({ length: scanBarcodeSegments(model) }, (_, index) => known[index] ?? unknown)
}

const SOH = 0x01
const GS = 0x1d
const STX = 0x02
const ETX = 0x03
const EOT = 0x04

/** The bytes of a configuration barcode: SOH Y GS STX, each command followed by ETX, then EOT. Commands are Latin-1. */
export function barcodePayload(commands: readonly string[]): number[] {
  const bytes = commands.flatMap((command) => [...[...command].map((character) => character.charCodeAt(0)), ETX])
  return [SOH, 'Y'.charCodeAt(0), GS, STX, ...bytes, EOT]
}

/** Light modules around a symbol; fewer than 4 and readers miss it. */
const quietZone = 4

/** A symbol as one SVG path on a field of `size` modules, quiet zone included. */
export type Symbol = { size: number; path: string }

/** The QR symbol of a barcode's bytes: byte mode, error correction L. */
export function scanSymbol(commands: readonly string[]): Symbol {
  const { data, size } = encode(barcodePayload(commands), { ecc: 'L', border: quietZone })
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
