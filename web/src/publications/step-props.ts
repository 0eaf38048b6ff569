import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import type { ReactNode } from 'react'
import type { FirmwareData } from './content/firmware-data.ts'
import type { WizardStore } from './draft/wizard-store.ts'
import type { WizardKind } from './wizard-kinds.ts'
import type { ZoneData } from './zone-data.ts'

export interface StepProps {
  wizard: WizardKind
  store: WizardStore
  data: ZoneData
  firmware: (device: UpdateModel) => FirmwareData
  notice: ReactNode
  onNext: () => void
  onBack: () => void
}
