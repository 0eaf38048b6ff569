import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { firmwareFileProblem, firmwareFileTypes, maxFirmwareBytes } from '@lectern/contract/firmware/firmware.ts'
import { Cpu } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Status } from '../../ui/feedback/status.tsx'
import { FieldError } from '../../ui/form/field.tsx'
import { FileDrop } from '../../ui/form/file-drop.tsx'
import { fileSize } from '../../ui/form/file-size.ts'
import type { CustomFirmware } from '../draft/choices.ts'
import { customFile } from './firmware-choice.ts'

type FirmwareFileProps = { device: UpdateModel; choice: CustomFirmware; onChange: (file: File | null) => void }

/** One firmware file of the model's types, by drop or file dialog; it can be cleared (spec §2, §5). It is never read here: it may be large. */
export function FirmwareFile({ device, choice, onChange }: FirmwareFileProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const file = useMemo(() => customFile(choice), [choice])
  const types = firmwareFileTypes[device]

  function choose([chosen]: File[]) {
    const wrong = chosen ? firmwareFileProblem(device, chosen) : null
    setProblem(wrong)
    if (wrong === null) onChange(chosen ?? null)
  }

  return (
    <>
      <FileDrop
        files={file ? [file] : []}
        onChange={choose}
        accept={{ 'application/octet-stream': [...types] }}
        maxSize={maxFirmwareBytes}
        prompt="Drag one firmware file here"
        hint={`${device} takes ${types.join(' and ')}. One file only, up to ${fileSize(maxFirmwareBytes)}.`}
        icon={Cpu}
        status={() => <Status kind="ok">Ready</Status>}
      />
      {problem && (
        <div role="alert">
          <FieldError>{problem}</FieldError>
        </div>
      )}
    </>
  )
}
