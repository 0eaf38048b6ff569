import type { ReactNode } from 'react'
import type { WizardStage } from './wizard-frame.tsx'
import type { WizardStore } from './wizard-store.ts'
import type { ZoneData } from './zone-data.ts'

/** What every step of a zone wizard gets. */
export type StepProps = {
  store: WizardStore
  data: ZoneData
  /** The words of the wizard's bar. */
  frame: { wizard: string; stages: Record<WizardStage, string> }
  /** What has happened meanwhile, above the step's content. */
  notice: ReactNode
  onNext: () => void
  onBack: () => void
}
