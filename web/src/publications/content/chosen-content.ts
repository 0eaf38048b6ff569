import { latestVersion } from '@lectern/contract/firmware/firmware.ts'
import type { PartContent } from '@lectern/contract/publications/publish-to-zones.ts'
import { toFile } from '../draft/file-data.ts'
import type { WizardState } from '../wizard-state.ts'
import type { DeviceConfig, DeviceFirmware, Piece } from './choices.ts'
import { toFirmwareFile } from './firmware-choice.ts'

type FileKind = 'script' | 'firmware-file'

/** A content to publish, with files that are not uploaded yet. */
type ChosenContent = Exclude<PartContent, { kind: FileKind }> | { kind: FileKind; file: File }

/**
 * Returns what is chosen for a piece.
 * @throws where nothing is
 */
export function getContent(state: WizardState, { device, part }: Piece): ChosenContent {
  const { config, firmware } = state.devices[device] ?? {}
  const content = part === 'config' ? findConfig(config?.choice) : findFirmware(firmware?.choice)
  if (!content) throw new Error(`${device} has no ${part === 'config' ? 'configuration' : 'firmware'}.`)
  return content
}

function findConfig(choice?: DeviceConfig): ChosenContent | null {
  if (choice?.type === 'cfg') return { kind: 'cfg', text: choice.text }
  if (choice?.type === 'saved') {
    const { id, version } = choice
    return id === null || version === null ? null : { kind: 'saved', configurationId: id, version }
  }
  const file = choice?.type === 'file' ? toFile(choice) : null
  return file && { kind: 'script', file }
}

function findFirmware(choice?: DeviceFirmware): ChosenContent | null {
  if (choice?.type === 'latest') return { kind: 'firmware', version: latestVersion }
  if (choice?.type === 'versioned') return { kind: 'firmware', version: choice.version }
  const file = choice?.type === 'custom' ? toFirmwareFile(choice) : null
  return file && { kind: 'firmware-file', file }
}
