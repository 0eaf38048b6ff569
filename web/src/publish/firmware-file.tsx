import type { UpdateModel } from '@lectern/contract/device-models.ts'
import { firmwareFileProblem, firmwareFileTypes, maxFirmwareBytes } from '@lectern/contract/firmware.ts'
import { Cpu } from 'lucide-react'
import { useMemo, useState } from 'react'
import { FieldError } from '../ui/field.tsx'
import { FileDrop } from '../ui/file-drop.tsx'
import { fileSize } from '../ui/file-size.ts'
import { Status } from '../ui/status.tsx'
import type { CustomFirmware } from './choices.ts'
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
