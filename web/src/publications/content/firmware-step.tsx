import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { firmwareFileProblem, firmwareFileTypes, maxFirmwareBytes, type RunningFirmware } from '@lectern/contract/firmware/firmware.ts'
import { formatFileSize } from '@lectern/contract/text/file-size.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { Cpu } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Status } from '../../ui/feedback/status.tsx'
import { FieldError } from '../../ui/form/field.tsx'
import { FileDrop } from '../../ui/form/file-drop.tsx'
import { DefinitionList } from '../../ui/layout/definition-list.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { Questions } from '../questions.tsx'
import type { StepProps } from '../step-props.ts'
import { getPageFirmware, getZone, type WizardState } from '../wizard-state.ts'
import type { CustomFirmware } from './choices.ts'
import { firmwareProblem, toFirmwareFile } from './firmware-choice.ts'
import { FirmwareVersion } from './firmware-version.tsx'
import { ModelStep } from './model-step.tsx'

export function FirmwareStep({ device, firmware, ...props }: StepProps & { device: UpdateModel }) {
  const { state, dispatch } = props.store
  const choice = getPageFirmware(state, device)
  const known = firmware(device)
  return (
    <ModelStep
      {...props}
      device={device}
      part="firmware"
      stage={props.wizard.part === 'firmware' ? 'device' : 'review'}
      title="Manage Firmware"
      noun="firmware"
      lead={`${device}, device`}
      problem={firmwareProblem(choice, known.versions)}
      mark={(each) => formatMark(state, each)}
      rail={
        <>
          <RunningVersions device={device} zone={getZone(state).name} running={known.running} />
          <Questions topic="firmware" />
        </>
      }
    >
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
    </ModelStep>
  )
}

function formatMark(state: WizardState, device: UpdateModel): string | undefined {
  const choice = getPageFirmware(state, device)
  if (choice.type === 'versioned') return choice.version
  return choice.type === 'custom' && choice.data !== null ? 'Custom file' : undefined
}

interface FirmwareFileProps {
  device: UpdateModel
  choice: CustomFirmware
  onChange: (file: File | null) => void
}

/** Takes a file of the model's firmware types (spec §2, §5). The file is not read here, as it may be large. */
function FirmwareFile({ device, choice, onChange }: FirmwareFileProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const file = useMemo(() => toFirmwareFile(choice), [choice])
  const types = firmwareFileTypes[device]

  function choose([chosen]: File[]) {
    const found = chosen ? firmwareFileProblem(device, chosen) : null
    setProblem(found)
    if (found === null) onChange(chosen ?? null)
  }

  return (
    <>
      <FileDrop
        files={file ? [file] : []}
        onChange={choose}
        accept={{ 'application/octet-stream': [...types] }}
        maxSize={maxFirmwareBytes}
        prompt="Drag one firmware file here"
        hint={`${device} takes ${types.join(' and ')}. One file only, up to ${formatFileSize(maxFirmwareBytes)}.`}
        icon={Cpu}
        status={() => <Status kind="ok" spoken="" children="Ready" />}
      />
      {problem && (
        <div role="alert">
          <FieldError>{problem}</FieldError>
        </div>
      )}
    </>
  )
}

interface RunningVersionsProps {
  device: UpdateModel
  zone: string
  running: readonly RunningFirmware[] | undefined
}

/** Shows the versions that the model's readers run. Shows nothing until they are loaded. */
function RunningVersions({ device, zone, running }: RunningVersionsProps) {
  if (!running) return null
  return (
    <Panel className="running-versions" title={`${device} now`}>
      {running.length === 0 ? (
        <p className="wrap-anywhere">
          No {device} in {zone} has reported its firmware yet.
        </p>
      ) : (
        <DefinitionList items={running.map(({ version, count }) => [version, counted(count, 'reader')])} />
      )}
    </Panel>
  )
}
