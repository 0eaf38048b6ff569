import '../../ui/layout/panel.css'
import './model-step.css'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { ArrowLeft, ArrowRight, Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ReaderDrawing } from '../../ui/reader-drawing.tsx'
import type { StepProps } from '../step-props.ts'
import { WizardFrame, type WizardStage } from '../wizard-frame.tsx'
import { chosenModels, getZone } from '../wizard-state.ts'
import { formatReaders, type ZoneSummary } from '../zone-summary.ts'
import type { PartName } from './choices.ts'

interface ModelStepProps extends Pick<StepProps, 'wizard' | 'store' | 'data' | 'notice' | 'onBack'> {
  device: UpdateModel
  part: PartName
  stage: WizardStage
  title: string
  /** Names the choice in sentences, such as "configuration". */
  noun: string
  lead?: string
  problem: string | null
  mark: (device: UpdateModel) => string | undefined
  rail: ReactNode
  onNext: () => void
  children: ReactNode
}

export function ModelStep({ wizard, store, data, notice, onBack, device, part, noun, lead = 'Device', problem, ...page }: ModelStepProps) {
  const { mark, onNext, children, ...frame } = page
  const devices = chosenModels(store.state, part)
  const zone = getZone(store.state)
  const readers = formatReaders(data.summary, [device])
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

interface DeviceTabsProps {
  devices: readonly UpdateModel[]
  current: UpdateModel
  mark: (device: UpdateModel) => string | undefined
  summary: ZoneSummary | undefined
}

// Shows the progress. Users change pages with Next, not here.
function DeviceTabs({ devices, current, mark, summary }: DeviceTabsProps) {
  return (
    <ol className="device-tabs" aria-label="Devices in this update">
      {devices.map((device) => (
        <li
          key={device}
          className={classNames('device-tab', mark(device) && 'device-tab-done')}
          aria-current={device === current ? 'step' : undefined}
        >
          <ReaderDrawing model={device} width={44} weight="small" />
          <span className="device-tab-name">
            <b>{device}</b>
            <small>{formatReaders(summary, [device])}</small>
          </span>
          {mark(device) && (
            <span className="device-tab-mark">
              <Check size={14} />
              <span>{mark(device)}</span>
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
