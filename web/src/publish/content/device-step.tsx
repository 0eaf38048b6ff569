import { counted } from '@lectern/contract/text/numbers.ts'
import './device-step.css'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { SupportLine } from '../../shell/support-line.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ChoiceCards } from '../../ui/input/radio-group.tsx'
import { configProblem } from '../draft/choices.ts'
import { Questions } from '../questions.tsx'
import type { StepProps } from '../step-props.ts'
import { chosenDevices, isReady, location, pageConfig } from '../wizard.ts'
import { WizardFrame } from '../wizard-frame.tsx'
import { CfgChoice } from './cfg-choice.tsx'
import { CodeRulesChoice } from './code-rules-choice.tsx'
import { DeviceTabs } from './device-tabs.tsx'

const choices = [
  {
    value: 'cfg',
    label: 'Golden Standard Configuration (CFG)',
    detail: 'Scan the setup out of a reader you trust, or paste its text.',
  },
  { value: 'file', label: 'CodeRules (JavaScript)', detail: 'Upload one .js file that parses and rewrites scanned data.' },
] as const

/** Step 2, one page for each ticked model: a CFG or a CodeRules file, saved by Next (spec §2). */
export function DeviceStep({ device, wizard, store, data, notice, onNext, onBack }: StepProps & { device: UpdateModel }) {
  const { state, dispatch } = store
  const config = pageConfig(state, device)
  const zone = location(state)
  const devices = chosenDevices(state, 'config')
  const problem = configProblem(config)

  function saveAndGo() {
    dispatch({ type: 'saveConfig', device })
    onNext()
  }

  return (
    <WizardFrame
      wizard={wizard}
      stage="device"
      title={`Configure ${device}`}
      intro={`Device ${devices.indexOf(device) + 1} of ${devices.length}. This configuration goes to ${counted(data.standing?.of(device), 'reader')} in ${zone.name}.`}
      notice={notice}
      rail={
        <>
          <Questions topic={config.type} />
          <SupportLine />
        </>
      }
      back={
        <Button icon={ArrowLeft} onClick={onBack}>
          Back
        </Button>
      }
      summary={problem ?? `Next saves this configuration for ${device}`}
      actions={
        <Button variant="primary" iconAfter={ArrowRight} disabledReason={problem ?? undefined} onClick={saveAndGo}>
          Next
        </Button>
      }
    >
      <div className="panel">
        <DeviceTabs
          devices={devices}
          current={device}
          mark={(each) => (isReady(state, { part: 'config', device: each }) ? 'Saved' : undefined)}
          standing={data.standing}
        />
        <div className="config-type">
          <ChoiceCards
            label="Configuration type"
            options={choices}
            value={config.type}
            onChange={(value) => dispatch({ type: 'configType', device, configType: value === 'file' ? 'file' : 'cfg' })}
          />
        </div>
        {config.type === 'cfg' ? (
          <CfgChoice
            key={device}
            device={device}
            text={config.text}
            onChange={(text) => dispatch({ type: 'draft', device, config: { type: 'cfg', text } })}
          />
        ) : (
          <CodeRulesChoice
            key={device}
            device={device}
            config={config}
            onChange={(file) => dispatch({ type: 'draft', device, config: file })}
          />
        )}
      </div>
    </WizardFrame>
  )
}
