import { updateModels } from '@lectern/contract/devices/device-models.ts'
import { ReleaseFields, releaseLimits } from '@lectern/contract/firmware/firmware.ts'
import { Cpu } from 'lucide-react'
import { useRef, useState } from 'react'
import { Controller, type FieldErrors, type Resolver, useForm, useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { aboutField, placeProblem, schemaResolver } from '../lib/form/form-problems.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { useLeaveGuard } from '../ui/dialog/leave-guard.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Transfer } from '../ui/feedback/transfer.tsx'
import { Field, FieldError } from '../ui/form/field.tsx'
import { FileDrop } from '../ui/form/file-drop.tsx'
import { Saving } from '../ui/form/saving.tsx'
import { Input } from '../ui/input/input.tsx'
import { Select } from '../ui/input/select.tsx'
import { Textarea } from '../ui/input/textarea.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { fileProblem, listFileTypes, newRelease, ReleaseForm, type ReleaseValues } from './release-values.ts'
import { useReleaseUpload } from './use-release-upload.ts'

const list = paths.releases()
const models = updateModels.map((model) => ({ value: model, label: model }))
const fields = schemaResolver<ReleaseValues>(ReleaseForm, (values) => values)

const resolver: Resolver<ReleaseValues> = async (values, context, options) => {
  const message = fileProblem(values)
  const { errors, ...rest } = await fields(values, context, options)
  return { ...rest, errors: message ? { ...errors, file: { type: 'file', message } } : errors } as Awaited<ReturnType<typeof fields>>
}

/** Uploads a release: model, version, notes and file. */
export function ReleaseUpload() {
  const navigate = useNavigate()
  const toast = useToast()
  const [failure, setFailure] = useState<string>()
  const [isCancelled, setCancelled] = useState(false)
  const submit = useRef<HTMLButtonElement>(null)
  const { upload, progress, cancel } = useReleaseUpload()
  const form = useForm<ReleaseValues>({ mode: 'onTouched', shouldFocusError: false, resolver, defaultValues: newRelease })
  const { register, control, handleSubmit, formState, trigger, setFocus, setValue } = form
  const { errors, isDirty, isSubmitted } = formState
  const { device = '', file = null, notes = '' } = useWatch({ control })
  const isRunning = progress !== undefined
  const letPass = useLeaveGuard({
    isActive: isDirty,
    title: isRunning ? 'Stop the upload?' : 'Leave without uploading?',
    question: isRunning ? 'Nothing of the file is kept when you leave now.' : 'What you entered is not saved.',
    query: true,
  })
  const types = listFileTypes(device)

  function complain(found: FieldErrors<ReleaseValues>) {
    setCancelled(false)
    // The form knows only the order in which its fields came to it, not that on the screen.
    const first = (['device', 'version', 'notes'] as const).find((name) => found[name])
    if (first) setFocus(first)
  }

  const save = handleSubmit(async (values) => {
    setFailure(undefined)
    setCancelled(false)
    const release = ReleaseFields.parse(values)
    try {
      if (!(await upload(release, values.file as File))) return setCancelled(true)
    } catch (error) {
      return setFailure(placeProblem(error, form))
    }
    toast({ title: 'Release uploaded', detail: `${release.version} for ${release.device}` })
    letPass()
    await navigate(list)
  }, complain)

  function stop() {
    cancel()
    // The button that was pressed goes away.
    submit.current?.focus()
  }

  return (
    <form noValidate onSubmit={save} className="max-w-180">
      <Panel
        title="New release"
        foot={
          <>
            <span className="flex-1" />
            {isRunning ? (
              <Button key="stop" onClick={stop}>
                Cancel upload
              </Button>
            ) : (
              <ButtonLink to={list} variant="ghost">
                Cancel
              </ButtonLink>
            )}
            <Button ref={submit} variant="primary" type="submit" busy={isRunning} busyLabel="Uploading">
              Upload release
            </Button>
          </>
        }
      >
        <Saving busy={isRunning} className="grid gap-5">
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label="Model" required error={errors.device?.message}>
              <Controller
                control={control}
                name="device"
                render={({ field }) => (
                  <Select
                    options={models}
                    value={field.value || undefined}
                    onChange={(value) => {
                      field.onChange(value)
                      // Another model may not take the file that was chosen.
                      if (file || isSubmitted) void trigger('file')
                    }}
                    onBlur={field.onBlur}
                    ref={field.ref}
                    placeholder="Choose a model"
                  />
                )}
              />
            </Field>
            <Field
              label="Version"
              required
              error={aboutField('Version', errors.version?.message)}
              hint="As readers report it, such as 4.12.0."
            >
              <Input autoComplete="off" className="mono" {...register('version')} />
            </Field>
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
              hint={
                device === '' ? 'Which type it must have, the model decides.' : `${device} takes ${types.join(' and ')}. One file only.`
              }
            />
            {errors.file?.message && (
              <div role="alert">
                <FieldError>{errors.file.message}</FieldError>
              </div>
            )}
          </div>
          <Field
            label="Notes"
            error={aboutField('Notes', errors.notes?.message)}
            hint={`What is new. ${notes.length} of ${releaseLimits.notes} characters.`}
          >
            <Textarea rows={4} {...register('notes')} />
          </Field>
        </Saving>
        <div className="grid gap-4 not-empty:mt-5">
          {progress && <Transfer label={`Uploading ${file?.name ?? ''}`} {...progress} />}
          {isCancelled && !isRunning && (
            <div role="status">
              <Notice>The upload was cancelled. Nothing of it was kept.</Notice>
            </div>
          )}
          {failure && !isRunning && <Notice kind="bad">{failure}</Notice>}
        </div>
      </Panel>
    </form>
  )
}
