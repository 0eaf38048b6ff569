import { type UpdateModel, updateModels } from '@lectern/contract/devices/device-models.ts'
import { firmwareFileProblem, firmwareFileTypes, maxFirmwareBytes, ReleaseFields } from '@lectern/contract/firmware/firmware.ts'
import { field } from '@lectern/contract/text/fields.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Cpu } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { useApi } from '../lib/api/api.ts'
import { markStale } from '../lib/api/query.ts'
import { UploadCancelled, useUploads } from '../lib/api/uploads.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Transfer } from '../ui/feedback/transfer.tsx'
import { SelectField } from '../ui/form/choice-fields.tsx'
import { FieldError } from '../ui/form/field.tsx'
import { FileDrop } from '../ui/form/file-drop.tsx'
import { FormPage } from '../ui/form/form-page.tsx'
import { TextField } from '../ui/form/text-field.tsx'

interface Values {
  /** '' until a model is chosen. */
  device: UpdateModel | ''
  version: string
  notes: string
  file: File | null
}

const empty: Values = { device: '', version: '', notes: '', file: null }

type Chosen = Pick<Values, 'device' | 'file'>

/** Returns undefined where the release can have the file. Until a model is chosen, any type is fine. */
function findFileProblem({ device, file }: Chosen): string | undefined {
  if (!file) return 'Choose the firmware file.'
  if (file.size > maxFirmwareBytes) return `File is larger than ${maxFirmwareBytes} bytes`
  return device === '' ? undefined : (firmwareFileProblem(device, file) ?? undefined)
}

const ReleaseForm = z.extend(ReleaseFields, {
  device: field(z.enum(updateModels, 'Choose a model.'), { label: 'Model' }),
  file: z
    .custom<Chosen>()
    .check(z.refine((chosen) => findFileProblem(chosen) === undefined, { error: ({ input }) => findFileProblem(input as Chosen) })),
})

const models = updateModels.map((model) => ({ value: model, label: model }))

export function ReleaseUpload() {
  const navigate = useNavigate()
  const toast = useToast()
  const [isCancelled, setCancelled] = useState(false)
  const { upload, progress, cancel } = useReleaseUpload()
  const bound = useContractForm({
    schema: ReleaseForm,
    values: empty,
    toInput: (values) => ({ ...values, file: values }),
    draft: 'release',
    save({ file, ...fields }) {
      setCancelled(false)
      return upload(ReleaseFields.parse(fields), file as File)
    },
    async onSaved(isSent, { version, device }) {
      if (!isSent) return setCancelled(true)
      toast({ title: 'Release uploaded', detail: `${version.trim()} for ${device}` })
      await navigate(paths.releases())
    },
  })
  const isRunning = progress !== undefined
  const file = bound.form.watch('file')

  function stop({ currentTarget }: MouseEvent<HTMLButtonElement>) {
    cancel()
    // The pressed button disappears, so the focus is moved.
    currentTarget.form?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }

  return (
    <FormPage
      title="New release"
      bound={bound}
      submit={['Upload release', 'Uploading']}
      leave={{
        title: isRunning ? 'Stop the upload?' : 'Leave without uploading?',
        question: isRunning ? 'The file is not saved when you leave now.' : 'What you entered is not saved.',
      }}
      cancel={
        isRunning ? (
          <Button key="stop" onClick={stop} children="Cancel upload" />
        ) : (
          <ButtonLink to={paths.releases()} variant="ghost" children="Cancel" />
        )
      }
      below={
        <>
          {progress && <Transfer label={`Uploading ${file?.name ?? ''}`} {...progress} />}
          {isCancelled && !isRunning && (
            <div role="status">
              <Notice>The upload was cancelled. The file was not saved.</Notice>
            </div>
          )}
        </>
      }
    >
      <Fields />
    </FormPage>
  )
}

function Fields() {
  const { watch, trigger, setValue, formState } = useFormContext<Values>()
  const [device, file] = watch(['device', 'file'])
  const error = formState.errors.file?.message
  const types = device === '' ? [...new Set(Object.values(firmwareFileTypes).flat())] : firmwareFileTypes[device]
  // Another model may not accept the chosen file.
  const check = () => void ((file || formState.isSubmitted) && trigger('file'))
  return (
    <>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <SelectField name="device" options={models} placeholder="Choose a model" onChange={check} />
        <TextField name="version" mono />
      </div>
      <div className="field">
        <span className="field-label" aria-hidden="true">
          File <span className="field-required">required</span>
        </span>
        <FileDrop
          icon={Cpu}
          files={file ? [file] : []}
          onChange={([chosen]) => setValue('file', chosen ?? null, { shouldDirty: true, shouldValidate: true })}
          accept={{ 'application/octet-stream': [...types] }}
          prompt="Drag one firmware file here"
          hint={device === '' ? 'The model decides which type it must have.' : `${device} takes ${types.join(' and ')}. One file only.`}
        />
        {error && (
          <div role="alert">
            <FieldError>{error}</FieldError>
          </div>
        )}
      </div>
      <TextField name="notes" lines={4} counted />
    </>
  )
}

function useReleaseUpload() {
  const { call } = useApi()
  const client = useQueryClient()
  const { upload, progress, cancel } = useUploads<'release'>()

  /**
   * @returns false where it was cancelled
   * @throws the error of the call
   */
  async function uploadRelease(fields: ReleaseFields, file: File): Promise<boolean> {
    try {
      await upload('release', async (options) => {
        await call('uploadFirmwareRelease', { fields, file }, { ...options, idempotencyKey: crypto.randomUUID() })
        await markStale(client, 'uploadFirmwareRelease')
      })
      return true
    } catch (error) {
      if (error instanceof UploadCancelled) return false
      throw error
    }
  }

  return { upload: uploadRelease, progress: progress.release, cancel: () => cancel('release') }
}
