import { type UpdateModel, updateModels } from '@lectern/contract/devices/device-models.ts'
import { firmwareFileProblem, firmwareFileTypes, maxFirmwareBytes, ReleaseFields } from '@lectern/contract/firmware/firmware.ts'
import * as z from 'zod/mini'

/** A release as its form holds it. */
export interface ReleaseValues {
  /** Empty until one is chosen. */
  device: UpdateModel | ''
  version: string
  notes: string
  file: File | null
}

export const newRelease: ReleaseValues = { device: '', version: '', notes: '', file: null }

/** What the form holds its values against: the call's fields, and a file that the model takes. */
export const ReleaseForm = z.extend(ReleaseFields, {
  device: z.enum(updateModels, 'Choose a model.'),
  file: z.nullable(z.instanceof(File)),
})

/** Why a file cannot be the release's, in words; undefined where it can. Before a model is chosen, any file may be meant. */
export function fileProblem({ device, file }: Pick<ReleaseValues, 'device' | 'file'>): string | undefined {
  if (!file) return 'Choose the firmware file.'
  if (file.size > maxFirmwareBytes) return `File is larger than ${maxFirmwareBytes} bytes`
  return device === '' ? undefined : (firmwareFileProblem(device, file) ?? undefined)
}

/** The types that a model's files may have; all types that any model takes, before one is chosen. */
export const listFileTypes = (device: ReleaseValues['device']): readonly string[] =>
  device === '' ? [...new Set(Object.values(firmwareFileTypes).flat())] : firmwareFileTypes[device]
