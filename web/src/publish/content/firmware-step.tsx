import { counted } from '@lectern/contract/text/numbers.ts'
import './device-step.css'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { Button } from '../../ui/button/button.tsx'
import { Questions } from '../questions.tsx'
import { RunningVersions } from '../select/running-versions.tsx'
import type { StepProps } from '../step-props.ts'
import { chosenDevices, location, pageFirmware, type WizardState } from '../wizard.ts'
import { WizardFrame } from '../wizard-frame.tsx'
import { DeviceTabs } from './device-tabs.tsx'
import { firmwareProblem } from './firmware-choice.ts'
import { FirmwareFile } from './firmware-file.tsx'
import { FirmwareVersion } from './firmware-version.tsx'

/** Step 2 of the firmware wizard, one page for each ticked model: a version, or a file of the customer's own (spec §2). */
export function FirmwareStep({ device, wizard, store, data, firmware, notice, onNext, onBack }: StepProps & { device: UpdateModel }) {
  const { state, dispatch } = store
  const choice = pageFirmware(state, device)
  const zone = location(state)
  const devices = chosenDevices(state, 'firmware')
  const known = firmware(device)
  const problem = firmwareProblem(choice, known.versions)

  return (
    <WizardFrame
      wizard={wizard}
      stage={wizard.part === 'firmware' ? 'device' : 'review'}
      title="Manage Firmware"
      place={`firmware ${device}`}
      intro={`${device}, device ${devices.indexOf(device) + 1} of ${devices.length}. This firmware goes to ${counted(data.standing?.of(device), 'reader')} in ${zone.name}.`}
      notice={notice}
      rail={
        <>
          <RunningVersions device={device} zone={zone.name} running={known.running} />
          <Questions topic="firmware" />
        </>
      }
      back={
        <Button icon={ArrowLeft} onClick={onBack}>
          Back
        </Button>
      }
      summary={problem ?? `Next keeps this firmware for ${device}`}
      actions={
        <Button variant="primary" iconAfter={ArrowRight} disabledReason={problem ?? undefined} onClick={onNext}>
          Next
        </Button>
      }
    >
      <div className="panel">
        <DeviceTabs devices={devices} current={device} mark={(each) => mark(state, each)} standing={data.standing} />
        <div className="firmware-choice">
          <FirmwareVersion
            key={device}
            device={device}
            choice={choice}
            data={known}
            onPick={(version) => dispatch({ type: 'firmware', device, action: { type: 'pick', version } })}
          />
          {choice.type === 'custom' && (
            <FirmwareFile
              key={`file ${device}`}
              device={device}
              choice={choice}
              onChange={(file) => dispatch({ type: 'firmware', device, action: file ? { type: 'file', file } : { type: 'clear' } })}
            />
          )}
        </div>
      </div>
    </WizardFrame>
  )
}

/** What a model's tab says of its choice. */
function mark(state: WizardState, device: UpdateModel): string | undefined {
  const choice = pageFirmware(state, device)
  if (choice.type === 'versioned') return choice.version
  return choice.type === 'custom' && choice.data !== null ? 'Custom file' : undefined
}
