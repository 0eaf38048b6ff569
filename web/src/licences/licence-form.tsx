import type { LicenceType } from '@lectern/contract/licences/licences.ts'
import { licenceLimits } from '@lectern/contract/licences/licences.ts'
import { useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { useMutation } from '../lib/api/query.ts'
import { aboutField, placeProblem } from '../lib/form/form-problems.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { useLeaveGuard } from '../ui/dialog/leave-guard.tsx'
import { ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Field } from '../ui/form/field.tsx'
import { Saving } from '../ui/form/saving.tsx'
import { Input } from '../ui/input/input.tsx'
import { RadioGroup } from '../ui/input/radio-group.tsx'
import { Textarea } from '../ui/input/textarea.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { type LicenceValues, licenceInput, licenceResolver, serialsIn } from './licence-values.ts'
import { useLicenceTypes } from './use-licences.ts'

/** Records a licence, with its signed file or without. */
export function LicenceForm({ organizationId }: { organizationId: string }) {
  const { data: types, isError, isFetching, refetch } = useLicenceTypes(organizationId)
  if (types) return <Form organizationId={organizationId} types={types} />
  return (
    <Panel flush aria-label="New licence">
      {isError ? (
        <ErrorPanel message="Error loading licence types" onRetry={refetch} retrying={isFetching} />
      ) : (
        <p className="p-4" role="status">
          Loading...
        </p>
      )}
    </Panel>
  )
}

function Form({ organizationId, types }: { organizationId: string; types: readonly LicenceType[] }) {
  const navigate = useNavigate()
  const toast = useToast()
  const [failure, setFailure] = useState<string>()
  const [running, setRunning] = useState<'create' | 'generate'>()
  const form = useForm<LicenceValues>({
    mode: 'onTouched',
    shouldFocusError: false,
    resolver: licenceResolver(types),
    defaultValues: {
      licenseId: String((types.find(({ isDefault }) => isDefault) ?? types[0])?.licenseId ?? ''),
      serialNumbers: '',
      purchaseOrderNumber: '',
      licenseNumber: '',
    },
  })
  const { register, control, handleSubmit, formState, trigger, setFocus } = form
  const { errors, isDirty, isSubmitted, touchedFields } = formState
  const { licenseId, serialNumbers = '' } = useWatch({ control })
  const amount = serialsIn(serialNumbers).length
  const type = types.find((one) => String(one.licenseId) === licenseId)
  const letPass = useLeaveGuard({
    isActive: isDirty,
    title: 'Leave without creating?',
    question: 'What you entered is not saved.',
    query: true,
  })
  const options = { errorInPlace: true } as const
  const create = useMutation('createLicence', options)
  const generate = useMutation('generateLicence', options)

  const submit = (what: 'create' | 'generate') =>
    handleSubmit(
      async (values) => {
        setFailure(undefined)
        setRunning(what)
        try {
          const record = what === 'create' ? create.mutateAsync : generate.mutateAsync
          const licence = await record({ params: { organizationId }, body: licenceInput(values) })
          toast({ title: what === 'create' ? 'Licence created' : 'Licence generated', detail: licence.licenseNumber })
          letPass()
          await navigate(paths.licence({ id: licence.id }))
        } catch (error) {
          setFailure(placeProblem(error, form))
        } finally {
          setRunning(undefined)
        }
      },
      (found) => {
        const first = (['serialNumbers', 'purchaseOrderNumber', 'licenseNumber'] as const).find((name) => found[name])
        if (first) setFocus(first)
      },
    )

  return (
    <form noValidate onSubmit={submit('generate')} className="max-w-180">
      <Panel
        title="New licence"
        foot={
          <div className="flex flex-1 flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <ButtonLink to={paths.licences()} variant="ghost">
              Cancel
            </ButtonLink>
            <Button busy={running === 'create'} disabled={running === 'generate'} busyLabel="Creating" onClick={submit('create')}>
              Create licence
            </Button>
            <Button variant="primary" type="submit" busy={running === 'generate'} disabled={running === 'create'} busyLabel="Generating">
              Generate licence file
            </Button>
          </div>
        }
      >
        <Saving busy={running !== undefined} className="grid gap-5">
          <div className="field">
            <span className="field-label" aria-hidden="true">
              Type
            </span>
            <Controller
              control={control}
              name="licenseId"
              render={({ field }) => (
                <RadioGroup
                  label="Type"
                  options={types.map((one) => ({ value: String(one.licenseId), label: one.name }))}
                  value={field.value}
                  onChange={(value) => {
                    field.onChange(value)
                    // Another type may need a purchase order, or none.
                    if (isSubmitted || touchedFields.purchaseOrderNumber) void trigger('purchaseOrderNumber')
                  }}
                />
              )}
            />
          </div>
          <Field
            label="Serial numbers"
            required
            error={aboutField('A licence', errors.serialNumbers?.message)}
            hint={`One a line, or with commas between them. ${amount} of at most ${licenceLimits.serialNumbers}.`}
          >
            <Textarea mono rows={5} spellCheck={false} {...register('serialNumbers')} />
          </Field>
          <div className="grid items-start gap-5 sm:grid-cols-2">
            <Field
              label="Purchase order number"
              required={type?.needPurchaseOrder ?? false}
              error={aboutField('Purchase order number', errors.purchaseOrderNumber?.message)}
              hint={type?.needPurchaseOrder ? undefined : 'May be left empty.'}
            >
              <Input autoComplete="off" {...register('purchaseOrderNumber')} />
            </Field>
            <Field
              label="Licence number"
              error={aboutField('Licence number', errors.licenseNumber?.message)}
              hint="Left empty, it gets a new one. It opens your zones to host PCs, so nobody should be able to guess it."
            >
              <Input autoComplete="off" spellCheck={false} className="mono" {...register('licenseNumber')} />
            </Field>
          </div>
          <p className="text-ink-2">
            Generating signs a licence file as well, which a host PC checks without asking anybody. A created licence has its number only.
          </p>
        </Saving>
        {failure && (
          <Notice kind="bad" className="mt-5">
            {failure}
          </Notice>
        )}
      </Panel>
    </form>
  )
}
