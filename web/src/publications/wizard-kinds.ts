import { paths } from '../paths.ts'
import type { PartName } from './content/choices.ts'
import type { WizardStage } from './wizard-frame.tsx'

export interface WizardKind {
  part: PartName
  name: string
  /** Returns the path of the wizard's success page. */
  success: (rollout: string) => string
  stages: Record<WizardStage, string>
  select: { title: string; intro: string; otherModels: string }
  review: { title: string }
  choices: string
  noun: string
}

export const configureZones: WizardKind = {
  part: 'config',
  name: 'Configure Zones',
  success: (rollout) => paths.configSuccess({ rollout }),
  stages: { select: 'Select Zone and Devices', device: 'Configure devices', review: 'Review' },
  select: {
    title: 'Select Zone and Devices',
    intro: 'Choose one zone, the models to configure there, and when they should update.',
    otherModels: 'Other models take a printed barcode instead.',
  },
  review: { title: 'Review Your Device Configuration Selections' },
  choices: 'configurations',
  noun: 'configuration',
}

export const manageFirmware: WizardKind = {
  part: 'firmware',
  name: 'Manage Firmware',
  success: (rollout) => paths.configSuccess({ of: 'firmware', rollout }),
  stages: { select: 'Select Zone and Device', device: 'Select firmware', review: 'Summary' },
  select: {
    title: 'Select Zone and Device to Update',
    intro: 'Choose one zone, the models whose firmware to update there, and when they should update.',
    otherModels: 'Other models take no firmware through a zone, only a printed configuration.',
  },
  review: { title: 'Review Your Firmware Selections' },
  choices: 'firmware choices',
  noun: 'firmware',
}
