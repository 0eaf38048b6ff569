import { type UpdateModel, updateModels } from '@lectern/contract/devices/device-models.ts'
import { cfgProblem } from '@lectern/contract/publications/cfg.ts'

/** A golden-standard configuration, as a reader printed it. */
export type CfgConfig = { type: 'cfg'; text: string }

/** A CodeRules file. `data` is a data-URL, or the file's bytes where it is larger than 1 MiB (decisions.md). */
export type FileConfig = { type: 'file'; data: string | Blob | null; fileName: string | null }

/** What a device model shall run (spec §3). */
export type DeviceConfig = CfgConfig | FileConfig | { type: 'none' }

/** Firmware of the customer's own. `data` is the file itself: it may be as large as a gigabyte. */
export type CustomFirmware = { type: 'custom'; data: Blob | null; fileName: string | null }

/** Which firmware a device model shall run (spec §3). */
export type DeviceFirmware = { type: 'latest' } | { type: 'versioned'; version: string } | CustomFirmware | { type: 'none' }

/** A part of a model that a wizard publishes. */
export type PartName = 'config' | 'firmware'

/** What is published on its own: a part of one model. */
export type Piece = { part: PartName; device: UpdateModel }

/** A piece as records are keyed by it. */
export type PieceName = `${PartName} ${UpdateModel}`
export const pieceName = ({ part, device }: Piece): PieceName => `${part} ${device}`

/** A piece in words: its model, and the part where that is not the one its wizard is about. */
export const pieceTitle = ({ part, device }: Piece, wizardsPart: PartName): string => (part === wizardsPart ? device : `${device} ${part}`)

/** Whether two pieces are the same. */
export const samePiece = (one: Piece, other: Piece): boolean => pieceName(one) === pieceName(other)

/** The models of some pieces, each once, in the order of the grid. */
export const listModels = (pieces: readonly Piece[]): UpdateModel[] =>
  updateModels.filter((model) => pieces.some(({ device }) => device === model))

/** The empty choice of a type: a new CFG has no text, a new file no name (spec §3). */
export function emptyConfig<Type extends 'cfg' | 'file'>(type: Type): Extract<CfgConfig | FileConfig, { type: Type }>
export function emptyConfig(type: 'cfg' | 'file'): CfgConfig | FileConfig {
  return type === 'cfg' ? { type, text: '' } : { type, data: null, fileName: null }
}

/** Why a choice cannot be published, in words; null when it can. */
export function configProblem(config: CfgConfig | FileConfig): string | null {
  if (config.type === 'cfg') return cfgProblem(config.text)
  return config.data === null || config.fileName === null ? 'Choose a .js file first.' : null
}

/** Whether two configurations are one and the same. */
export function sameConfig(one: DeviceConfig, other: DeviceConfig): boolean {
  if (one.type === 'cfg' && other.type === 'cfg') return one.text === other.text
  if (one.type === 'file' && other.type === 'file') return one.fileName === other.fileName && one.data === other.data
  return false
}

/** Whether two firmwares are one and the same. */
export function sameFirmware(one: DeviceFirmware, other: DeviceFirmware): boolean {
  if (one.type === 'versioned' && other.type === 'versioned') return one.version === other.version
  if (one.type === 'custom' && other.type === 'custom') return one.data === other.data && one.fileName === other.fileName
  return one.type === other.type
}
