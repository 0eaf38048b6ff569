import { LicenceInput, type LicenceType, purchaseOrderProblem, serialNumbersPerLicence } from '@lectern/contract/licences/licences.ts'
import { type FormEvent, useMemo } from 'react'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { useMutation } from '../lib/api/query.ts'
import { type ContractForm, useContractForm } from '../lib/form/contract-form.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { RadioField } from '../ui/form/choice-fields.tsx'
import { FormPage } from '../ui/form/form-page.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { useLicenceTypes } from './licence-types.ts'

export function LicenceForm({ organizationId }: { organizationId: string }) {
  const query = useLicenceTypes(organizationId)
  if (query.data) return <Form organizationId={organizationId} types={query.data} />
  return (
    <Panel flush aria-label="New licence">
      <QueryStates query={query} failed="Error loading licence types">
        {() => null}
      </QueryStates>
    </Panel>
  )
}

interface Values {
  licenseId: string
  serialNumbers: string
  purchaseOrderNumber: string
  licenseNumber: string
  withFile: boolean
}

const splitSerials = (text: string): string[] => {
  const serials = text.split(/[\n\r,;\t]+/).map((serial) => serial.trim())
  return [...new Set(serials)].filter((serial) => serial !== '')
}

const toInput = ({ licenseId, serialNumbers, purchaseOrderNumber, licenseNumber }: Values) => ({
  licenseId: Number(licenseId),
  serialNumbers: splitSerials(serialNumbers),
  purchaseOrderNumber: purchaseOrderNumber.trim() || null,
  licenseNumber: licenseNumber.trim() || null,
})

/** A type may need a purchase order (spec §3). */
const withTypes = (types: readonly LicenceType[]) =>
  LicenceInput.check(
    z.check(({ value, issues }) => {
      const type = types.find(({ licenseId }) => licenseId === value.licenseId)
      const message = type && purchaseOrderProblem(type, value.purchaseOrderNumber)
      if (message) issues.push({ code: 'custom', message, path: ['purchaseOrderNumber'], input: value })
    }),
  )

function Form({ organizationId, types }: { organizationId: string; types: readonly LicenceType[] }) {
  const navigate = useNavigate()
  const toast = useToast()
  const { mutateAsync: create } = useMutation('createLicence', { errorInPlace: true })
  const { mutateAsync: generate } = useMutation('generateLicence', { errorInPlace: true })
  const bound = useContractForm<Values, { id: string; licenseNumber: string }>({
    schema: useMemo(() => withTypes(types), [types]),
    values: {
      licenseId: String((types.find(({ isDefault }) => isDefault) ?? types[0])?.licenseId ?? ''),
      serialNumbers: '',
      purchaseOrderNumber: '',
      licenseNumber: '',
      withFile: true,
    },
    toInput,
    draft: 'licence',
    secrets: ['licenseNumber'], // It enrolls host PCs.
    save: (values) => (values.withFile ? generate : create)({ params: { organizationId }, body: toInput(values) }),
    async onSaved({ id, licenseNumber }, { withFile }) {
      toast({ title: withFile ? 'Licence generated' : 'Licence created', detail: licenseNumber })
      await navigate(paths.licence({ id }))
    },
  })
  const { watch, setValue, formState } = bound.form
  const submit = (withFile: boolean) => (event?: FormEvent) => {
    setValue('withFile', withFile)
    return bound.submit(event)
  }
  const isCreating = formState.isSubmitting && !watch('withFile')

  return (
    <div className="max-w-180">
      <FormPage
        title="New licence"
        bound={{ ...bound, submit: submit(true) }}
        noun="licence"
        submit={['Generate licence file', 'Generating']}
        submittedByOther={isCreating}
        cancel={
          <>
            <ButtonLink to={paths.licences()} variant="ghost">
              Cancel
            </ButtonLink>
            <Button
              busy={isCreating}
              disabled={formState.isSubmitting && !isCreating}
              busyLabel="Creating"
              onClick={() => void submit(false)()}
            >
              Create licence
            </Button>
          </>
        }
        leave={{ title: 'Leave without creating?', question: 'What you entered is not saved.' }}
      >
        <Fields bound={bound} types={types} />
      </FormPage>
    </div>
  )
}

interface FieldsProps {
  bound: Pick<ContractForm<Values>, 'form'>
  types: readonly LicenceType[]
}

function Fields({ bound: { form }, types }: FieldsProps) {
  const { isSubmitted, touchedFields } = form.formState
  const [licenseId, serialNumbers] = form.watch(['licenseId', 'serialNumbers'])
  const needsPurchaseOrder = types.find((type) => String(type.licenseId) === licenseId)?.needPurchaseOrder ?? false
  const amount = splitSerials(serialNumbers).length
  return (
    <>
      <RadioField
        name="licenseId"
        options={types.map((type) => ({ value: String(type.licenseId), label: type.name }))}
        onChange={() => {
          // Another type may need a purchase order, or not need one.
          if (isSubmitted || touchedFields.purchaseOrderNumber) void form.trigger('purchaseOrderNumber')
        }}
      />
      <TextField
        name="serialNumbers"
        lines={5}
        mono
        hint={`One per line, or separated by commas. ${amount} of at most ${serialNumbersPerLicence}.`}
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField name="purchaseOrderNumber" required={needsPurchaseOrder} hint={needsPurchaseOrder ? '' : undefined} />
        <TextField name="licenseNumber" mono />
      </div>
      <p className="text-ink-2">
        Generating also signs a licence file, which a host PC checks offline. A created licence has only its number.
      </p>
    </>
  )
}
