import { useState } from 'react'
import { useApi } from '../lib/api/api.ts'
import { Button } from '../ui/button/button.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { DialogPanel } from '../ui/dialog/dialog-panel.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/input/input.tsx'

type Found = { address: string; ids: string[] }

/** Tells staff whom the support desk knows by an e-mail address. */
export function VerifyAddress({ address: first = '', close }: { address?: string; close: Close<void> }) {
  const { call } = useApi()
  const [address, setAddress] = useState(first)
  const [found, setFound] = useState<Found>()
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function ask() {
    const asked = address.trim()
    if (asked === '') return setRefusal('Enter an e-mail address.')
    setBusy(true)
    try {
      const contacts = await call('verifyAddress', { params: { address: asked } })
      setFound({ address: asked, ids: contacts.map(({ id }) => id) })
    } catch (error) {
      setRefusal((error as Error).message)
    } finally {
      setBusy(false)
    }
  }

  return (
    <DialogPanel
      title="Verify an address"
      saving={busy}
      onSubmit={() => void ask()}
      actions={
        <>
          <Button disabled={busy} onClick={() => close()}>
            Close
          </Button>
          <Button variant="primary" type="submit" busy={busy} busyLabel="Verifying">
            Verify
          </Button>
        </>
      }
    >
      <Field label="E-mail address" error={refusal} hint="Whom the support desk knows by it.">
        <Input
          type="email"
          value={address}
          autoComplete="off"
          readOnly={busy}
          customValidity={refusal}
          onChange={(event) => {
            setAddress(event.target.value)
            setRefusal(undefined)
            setFound(undefined)
          }}
        />
      </Field>
      <div role="status" className="mt-4">
        {found && <Contacts {...found} />}
      </div>
    </DialogPanel>
  )
}

function Contacts({ address, ids }: Found) {
  if (ids.length === 0)
    return (
      <p>
        The support desk knows nobody by <b className="wrap-anywhere">{address}</b>.
      </p>
    )
  return (
    <>
      <p>
        <b className="wrap-anywhere">{address}</b> is {ids.length === 1 ? 'a contact' : `${ids.length} contacts`} of the support desk:
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
