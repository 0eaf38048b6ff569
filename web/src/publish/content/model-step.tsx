import './device-step.css'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button/button.tsx'
import type { PartName } from '../draft/choices.ts'
import type { StepProps } from '../step-props.ts'
import { chosenDevices, getZone } from '../wizard.ts'
import { WizardFrame, type WizardStage } from '../wizard-frame.tsx'
import { DeviceTabs } from './device-tabs.tsx'

interface ModelStepProps extends Pick<StepProps, 'wizard' | 'store' | 'data' | 'notice' | 'onBack'> {
  device: UpdateModel
  part: PartName
  stage: WizardStage
  title: string
  place?: string
  /** Names the choice in sentences, e.g. "configuration". */
  noun: string
  lead?: string
  /** Why Next cannot be used yet. */
  problem: string | null
  mark: (device: UpdateModel) => string | undefined
  rail: ReactNode
  onNext: () => void
  children: ReactNode
}

export function ModelStep({ wizard, store, data, notice, onBack, device, part, noun, lead = 'Device', problem, ...page }: ModelStepProps) {
  const { mark, onNext, children, ...frame } = page
  const devices = chosenDevices(store.state, part)
  const zone = getZone(store.state)
  const readers = counted(data.summary?.count(device), 'reader')
  return (
    <WizardFrame
      {...frame}
      wizard={wizard}
      intro={`${lead} ${devices.indexOf(device) + 1} of ${devices.length}. This ${noun} goes to ${readers} in ${zone.name}.`}
      notice={notice}
      back={
        <Button icon={ArrowLeft} onClick={onBack}>
          Back
        </Button>
      }
      summary={problem ?? `Next saves this ${noun} for ${device}`}
      actions={
        <Button variant="primary" iconAfter={ArrowRight} disabledReason={problem ?? undefined} onClick={onNext}>
          Next
        </Button>
      }
    >
      <div className="panel">
        <DeviceTabs devices={devices} current={device} mark={mark} summary={data.summary} />
        {children}
      </div>
    </WizardFrame>
  )
}
