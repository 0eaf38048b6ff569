import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { Button } from '../../ui/button/button.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/input/select.tsx'
import type { DeviceFirmware } from './choices.ts'
import { findDowngrade, firmwareProblem } from './firmware-choice.ts'
import type { FirmwareData } from './firmware-data.ts'

const custom = 'custom'
const toOption = (version: string) => `version ${version}`

interface FirmwareVersionProps {
  device: UpdateModel
  choice: DeviceFirmware
  data: FirmwareData
  /** Called with the version, or with '' for a custom file. */
  onPick: (version: string) => void
}

export function FirmwareVersion({ device, choice, data: { versions, latest, problem, running, refresh }, onPick }: FirmwareVersionProps) {
  const options = [
    ...(versions ?? []).map((version) => ({ value: toOption(version), label: version === latest ? `${version} (latest)` : version })),
    { value: custom, label: 'Custom file' },
  ]
  const withdrawn = choice.type === 'versioned' ? firmwareProblem(choice, versions) : null
  const downgrade = choice.type === 'versioned' && running ? findDowngrade(choice.version, running) : null
  return (
    <>
      <Field label="Select Firmware Version" hint={formatHint(device, choice, versions)} error={withdrawn ?? undefined}>
        <Select
          className="firmware-select"
          options={options}
          value={toOptionValue(choice, versions)}
          placeholder={choice.type === 'latest' ? (problem ? 'Latest version' : 'Loading...') : 'Choose a version'}
          onChange={(value) => onPick(value === custom ? '' : (versions?.find((version) => toOption(version) === value) ?? ''))}
        />
      </Field>
      {problem && (
        <Notice kind="bad">
          The versions for {device} could not be loaded. {problem}{' '}
          <Button variant="link" onClick={refresh}>
            Try Again
          </Button>
        </Notice>
      )}
      {downgrade && choice.type === 'versioned' && (
        <Notice kind="warn">
          {counted(downgrade.readers, 'reader')} in this zone {downgrade.readers === 1 ? 'runs' : 'run'} newer firmware, up to{' '}
          {downgrade.from}. Publishing {choice.version} asks for confirmation.
        </Notice>
      )}
    </>
  )
}

function toOptionValue(choice: DeviceFirmware, versions: FirmwareData['versions']): string | undefined {
  if (choice.type === 'custom') return custom
  if (choice.type !== 'versioned' || !versions?.includes(choice.version)) return undefined
  return toOption(choice.version)
}

function formatHint(device: UpdateModel, choice: DeviceFirmware, versions: FirmwareData['versions']): string {
  if (versions?.length === 0) return `There is no release for ${device} yet. Choose a file of your own.`
  if (choice.type === 'latest') return 'The newest release at the moment you publish.'
  if (choice.type === 'custom') return 'A file of your own. Only readers of this model can say whether they take it.'
  return `Every ${device} there installs this version.`
}
