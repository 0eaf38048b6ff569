import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { scanBarcodeSegments } from '@lectern/contract/publications/cfg.ts'
import { encode } from 'uqr'

/**
 * `published`: a vendor document gives the commands and their use. `inferred`: it gives the commands only. `unknown`: no public document
 * gives the commands, so nothing is drawn.
 */
export type Evidence = 'published' | 'inferred' | 'unknown'

export interface ScanPart {
  commands: readonly string[]
  evidence: Evidence
  sends: string
}

const reader: ScanPart = { commands: ['CFG'], evidence: 'published', sends: 'its whole configuration' }

const base: ScanPart = {
  commands: ['BTBRXCM[BTCMPRD1]', 'BTBRXCM[CFG]', 'BTBRXCM[BTCMPRD0]'],
  evidence: 'inferred',
  sends: 'the configuration of its charging base',
}

const unknown: ScanPart = { commands: [], evidence: 'unknown', sends: '' }

/** The parts after the first; those that are missing are unknown. */
const furtherParts: Partial<Record<UpdateModel, readonly ScanPart[]>> = { CR2700: [base] }

/** As many parts as the specification has: 2 for CR2700, 5 for A271/2, else 3 (spec §9). */
export function scanParts(model: UpdateModel): ScanPart[] {
  const known = [reader, ...(furtherParts[model] ?? [])]
  return Array.from({ length: scanBarcodeSegments(model) }, (_, index) => known[index] ?? unknown)
}

const SOH = 0x01
const GS = 0x1d
const STX = 0x02
const ETX = 0x03
const EOT = 0x04

/** SOH Y GS STX, each command followed by ETX, then EOT. Commands are Latin-1. */
export function barcodePayload(commands: readonly string[]): number[] {
  const bytes = commands.flatMap((command) => [...[...command].map((character) => character.charCodeAt(0)), ETX])
  return [SOH, 'Y'.charCodeAt(0), GS, STX, ...bytes, EOT]
}

/** In modules; readers miss a symbol with fewer than 4. */
const quietZone = 4

export interface Symbol {
  size: number
  path: string
}

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
