import { type Reader, ReaderInput, readerLimits } from '@lectern/contract/readers.ts'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { q, useMutation } from '../lib/api/query.ts'
import { type Edit, useEdit } from '../lib/form/edit.ts'
import { aboutField, placeProblem, schemaResolver } from '../lib/form/form-problems.ts'
import { Button } from '../ui/button/button.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { DialogPanel } from '../ui/dialog/dialog-panel.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { ChangedMeanwhile } from '../ui/form/changed-meanwhile.tsx'
import { Field } from '../ui/form/field.tsx'
import { Saving } from '../ui/form/saving.tsx'
import { Checkbox } from '../ui/input/checkbox.tsx'
import { Input } from '../ui/input/input.tsx'

interface ReaderValues {
  sn: string
  codeMasterId: string
  isLost: boolean
}

const newReader: ReaderValues = { sn: '', codeMasterId: '', isLost: false }
const toValues = ({ sn, codeMasterId, isLost }: Reader): ReaderValues => ({ sn, codeMasterId: codeMasterId ?? '', isLost })
const readerInput = ({ sn, codeMasterId, isLost }: ReaderValues) => ({ sn: sn.trim(), codeMasterId: codeMasterId.trim() || null, isLost })

const options = { errorInPlace: true } as const

/** Registers a reader of the organization. */
export function NewReader({ organizationId, close }: { organizationId: string; close: Close<void> }) {
  const { mutateAsync } = useMutation('createReader', options)
  return (
    <ReaderForm
      title="Register reader"
      submit={['Register', 'Registering', 'Reader registered']}
      values={newReader}
      save={(values) => mutateAsync({ params: { customerid: organizationId }, body: readerInput(values) })}
      close={close}
    />
  )
}

/** Changes a registered reader. */
export function EditReader({ reader, close }: { reader: Reader; close: Close<void> }) {
  const { mutateAsync } = useMutation('updateReader', options)
  const params = { id: reader.readerId }
  const edit = useEdit(reader, q('getReader', { params }))
  return (
    <ReaderForm
      title={`Edit ${reader.sn}`}
      submit={['Save', 'Saving', 'Reader saved']}
      values={toValues(reader)}
      edit={edit}
      save={(values, basedOn) => mutateAsync({ params, body: readerInput(values), basedOn })}
      close={close}
    />
  )
}

type ReaderFormProps = {
  title: ReactNode
  /** The button's words, those while it runs, and what is said afterwards. */
  submit: [label: string, busyLabel: string, done: string]
  values: ReaderValues
  /** Of a reader that there is already. */
  edit?: Edit<Reader>
  save: (values: ReaderValues, basedOn: Reader | undefined) => Promise<Reader>
  close: Close<void>
}

function ReaderForm({ title, submit: [label, busyLabel, done], values, edit, save, close }: ReaderFormProps) {
  const toast = useToast()
  const [failure, setFailure] = useState<string>()
  const form = useForm<ReaderValues>({
    mode: 'onTouched',
    resolver: schemaResolver<ReaderValues>(ReaderInput, readerInput),
    defaultValues: values,
  })
  const {
    register,
    handleSubmit,
    formState: { errors, isSubmitting },
  } = form

  const saveOver = (basedOn: Reader | undefined) =>
    handleSubmit(async (entered) => {
      setFailure(undefined)
      try {
        const reader = await save(entered, basedOn)
        toast({ title: done, detail: reader.sn })
        close()
      } catch (error) {
        if (!edit?.fail(error)) setFailure(placeProblem(error, form))
      }
    })

  return (
    <DialogPanel
      title={title}
      saving={isSubmitting}
      onSubmit={saveOver(edit?.basis)}
      actions={
        <>
          <Button disabled={isSubmitting} onClick={() => close()}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" busy={isSubmitting} busyLabel={busyLabel}>
            {label}
          </Button>
        </>
      }
    >
      <Saving busy={isSubmitting} className="grid gap-4">
        <Field
          label="Serial number"
          required
          error={aboutField('Serial number', errors.sn?.message)}
          hint="As on its label. Once a host PC reports it, its last activity shows here."
        >
          <Input autoComplete="off" spellCheck={false} className="mono" maxLength={readerLimits.sn} {...register('sn')} />
        </Field>
        <Field label="CodeMaster ID" error={aboutField('CodeMaster ID', errors.codeMasterId?.message)} hint="May be left empty.">
          <Input autoComplete="off" maxLength={readerLimits.codeMasterId} {...register('codeMasterId')} />
        </Field>
        <Checkbox {...register('isLost')}>It is lost</Checkbox>
        {failure && <Notice kind="bad">{failure}</Notice>}
      </Saving>
      {edit?.isOutdated && (
        <ChangedMeanwhile
          what="reader"
          className="mt-4"
          onLoad={async () => form.reset(toValues(await edit.restart()))}
          onSaveAnyway={async () => saveOver(await edit.renew())()}
        />
      )}
    </DialogPanel>
  )
}
