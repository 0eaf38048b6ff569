import { CaseAddress } from '@lectern/contract/cases/cases.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useApi } from '../lib/api/api.ts'
import { trimTexts, useContractForm } from '../lib/form/contract-form.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/text-field.tsx'

interface Found {
  address: string
  ids: string[]
}

export function VerifyAddress({ address: first = '', close }: { address?: string; close: Close<void> }) {
  const { call } = useApi()
  const [found, setFound] = useState<Found>()
  const bound = useContractForm({
    schema: CaseAddress,
    values: { address: first },
    toInput: trimTexts,
    draft: 'address',
    mode: 'onSubmit',
    failureAt: 'address',
    save: (values) => call('verifyAddress', { params: trimTexts(values) }),
    onSaved: (contacts, { address }) => setFound({ address, ids: contacts.map(({ id }) => id) }),
  })
  const address = useWatch({ control: bound.form.control, name: 'address' })
  return (
    <FormDialog title="Verify an address" bound={bound} submit={['Verify', 'Verifying']} back="Close" close={close}>
      <TextField name="address" type="email" />
      <div role="status">{found?.address === address && <Contacts {...found} />}</div>
    </FormDialog>
  )
}

function Contacts({ address, ids }: Found) {
  const shown = <b className="wrap-anywhere">{address.trim()}</b>
  if (ids.length === 0) return <p>The support desk has no contact with the address {shown}.</p>
  return (
    <>
      <p>
        {shown} is {ids.length === 1 ? 'a contact' : counted(ids.length, 'contact')} of the support desk:
      </p>
      <ul className="mt-2 grid gap-1">
        {ids.map((id) => (
          <li key={id} className="mono wrap-anywhere">
            {id}
          </li>
        ))}
      </ul>
    </>
  )
}
