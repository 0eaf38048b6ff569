import * as z from 'zod/mini'

/** In the order of the wizards (spec §9). */
export const updateModels = ['CR1100', 'CR2700', 'A271/2', 'CR1500', 'CR5200', 'V1300', 'V4500'] as const
export type UpdateModel = (typeof updateModels)[number]

/** With models that are configured only by printed barcodes (spec §5). */
export const deviceModels = [...updateModels, 'CR950', 'CR8200', '1500DPM'] as const
export const DeviceModel = z.enum(deviceModels)
export type DeviceModel = z.infer<typeof DeviceModel>

const isUpdateModel = (name: string): name is UpdateModel => (updateModels as readonly string[]).includes(name)

/** Throws an Error `Invalid device: {device name}` (spec §5). */
export function updateModel(name: string): UpdateModel {
  if (!isUpdateModel(name)) throw new Error(`Invalid device: ${name}`)
  return name
}

export const UpdateModelName = z.enum(updateModels, { error: (issue) => `Invalid device: ${String(issue.input)}` })
