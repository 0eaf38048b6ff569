import { type UpdateModel, updateModels } from '@lectern/contract/devices/device-models.ts'
import { cfgProblem } from '@lectern/contract/publications/cfg.ts'

export interface CfgConfig {
  type: 'cfg'
  text: string
}

/**
 * A CodeRules file. `data`: a data-URL, or the file's bytes above 1 MiB. `verdict`: of its check, or `accepted` where the user accepted its
 * warnings; undefined until it is checked.
 */
export interface FileConfig {
  type: 'file'
  data: string | Blob | null
  fileName: string | null
  verdict?: 'ready' | 'warning' | 'accepted' | 'refused'
}

/** A version of a library entry. `name`: with the version. All are null until one is chosen. */
export interface SavedConfig {
  type: 'saved'
  id: string | null
  version: number | null
  name: string | null
}

export type ChosenConfig = CfgConfig | FileConfig | SavedConfig
export type DeviceConfig = ChosenConfig | { type: 'none' }

/** A customer's own firmware file. `data`: the file itself, which may have a gigabyte. Both are null until one is chosen. */
export interface CustomFirmware {
  type: 'custom'
  data: Blob | null
  fileName: string | null
}

export type DeviceFirmware = { type: 'latest' } | { type: 'versioned'; version: string } | CustomFirmware | { type: 'none' }

export type PartName = 'config' | 'firmware'

export interface Piece {
  part: PartName
  device: UpdateModel
}

export type PieceName = `${PartName} ${UpdateModel}`
export const pieceName = ({ part, device }: Piece): PieceName => `${part} ${device}`

/** Names the model, and the part too where it is not the wizard's own. */
export const formatPiece = ({ part, device }: Piece, wizardsPart: PartName): string => (part === wizardsPart ? device : `${device} ${part}`)

export const samePiece = (one: Piece, other: Piece): boolean => pieceName(one) === pieceName(other)

export const listModels = (pieces: readonly Piece[]): UpdateModel[] =>
  updateModels.filter((model) => pieces.some(({ device }) => device === model))

/** Returns a choice of the type with nothing in it yet (spec §3). */
export function emptyConfig<Type extends ChosenConfig['type']>(type: Type): Extract<ChosenConfig, { type: Type }>
export function emptyConfig(type: ChosenConfig['type']): ChosenConfig {
  if (type === 'saved') return { type, id: null, version: null, name: null }
  return type === 'cfg' ? { type, text: '' } : { type, data: null, fileName: null }
}

/** Says why the choice cannot be published; null where it can. */
export function configProblem(config: ChosenConfig): string | null {
  if (config.type === 'cfg') return cfgProblem(config.text)
  if (config.type === 'saved') return config.id === null ? 'Choose a saved configuration first.' : null
  if (config.data === null || config.fileName === null) return 'Choose a .js file first.'
  return verdictProblem(config.verdict)
}

function verdictProblem(verdict: FileConfig['verdict']): string | null {
  switch (verdict) {
    case undefined:
      return 'The script must be checked first.'
    case 'refused':
      return 'This script cannot work. Choose another file.'
    case 'warning':
      return 'Accept the warnings of the script first.'
    default:
      return null
  }
}

export function sameConfig(one: DeviceConfig, other: DeviceConfig): boolean {
  if (one.type === 'cfg' && other.type === 'cfg') return one.text === other.text
  if (one.type === 'saved' && other.type === 'saved') return one.id === other.id && one.version === other.version
  if (one.type === 'file' && other.type === 'file')
    return one.fileName === other.fileName && one.data === other.data && one.verdict === other.verdict
  return false
}

export function sameFirmware(one: DeviceFirmware, other: DeviceFirmware): boolean {
  if (one.type === 'versioned' && other.type === 'versioned') return one.version === other.version
  if (one.type === 'custom' && other.type === 'custom') return one.data === other.data && one.fileName === other.fileName
  return one.type === other.type
}
