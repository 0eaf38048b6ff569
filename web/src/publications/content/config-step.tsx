import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { SupportLine } from '../../shell/support-line.tsx'
import { ChoiceCards } from '../../ui/input/radio-group.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Questions } from '../questions.tsx'
import type { StepProps } from '../step-props.ts'
import { getPageConfig, isReady } from '../wizard-state.ts'
import { configProblem, type DeviceConfig } from './choices.ts'
import { ModelStep } from './model-step.tsx'

const CfgChoice = lazyPart(async () => (await import('./cfg-choice.tsx')).CfgChoice, <p role="status">Loading...</p>)
const SavedChoice = lazyPart(async () => (await import('./saved-choice.tsx')).SavedChoice, <p role="status">Loading...</p>)
const CodeRulesChoice = lazyPart(async () => (await import('./code-rules-choice.tsx')).CodeRulesChoice, <p role="status">Loading...</p>)

/** Loads the code of `ConfigStep` ahead, as a scan may begin the moment the step shows. */
export function preloadConfigStep() {
  CfgChoice.preload()
  CodeRulesChoice.preload()
}

const choices = [
  {
    value: 'cfg',
    label: 'Golden Standard Configuration (CFG)',
    detail: 'Scan the setup out of a reader you trust, or paste its text.',
  },
  { value: 'file', label: 'CodeRules (JavaScript)', detail: 'Upload one .js file that parses and rewrites scanned data.' },
  { value: 'saved', label: 'From the library', detail: 'Choose a saved configuration and one of its versions.' },
] as const

export function ConfigStep({ device, store, onNext, ...props }: StepProps & { device: UpdateModel }) {
  const { state, dispatch } = store
  const config = getPageConfig(state, device)
  const change = (next: DeviceConfig) => dispatch({ type: 'edit', device, config: next })

  function saveAndGo() {
    dispatch({ type: 'saveConfig', device })
    onNext()
  }

  return (
    <ModelStep
      {...props}
      store={store}
      device={device}
      part="config"
      stage="device"
      title={`Configure ${device}`}
      noun="configuration"
      problem={configProblem(config)}
      mark={(each) => (isReady(state, { part: 'config', device: each }) ? 'Saved' : undefined)}
      rail={
        <>
          <Questions topic={config.type} />
          <SupportLine />
        </>
      }
      onNext={saveAndGo}
    >
      <div className="config-type">
        <ChoiceCards
          label="Configuration type"
          options={choices}
          value={config.type}
          onChange={(value) => dispatch({ type: 'configType', device, configType: value === 'file' || value === 'saved' ? value : 'cfg' })}
        />
      </div>
      {config.type === 'cfg' ? (
        <CfgChoice key={device} device={device} text={config.text} onChange={(text) => change({ type: 'cfg', text })} />
      ) : config.type === 'saved' ? (
        <div className="saved-choice">
          <SavedChoice key={device} device={device} config={config} onChange={change} />
        </div>
      ) : (
        <CodeRulesChoice key={device} device={device} config={config} onChange={change} />
      )}
    </ModelStep>
  )
}
