import { groupNameLength } from '@lectern/contract/groups.ts'
import { useState } from 'react'
import { useMutation } from '../lib/api/query.ts'
import { Button } from '../ui/button/button.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { DialogPanel } from '../ui/dialog/dialog-panel.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/input/input.tsx'

/** Asks for the name of a new group of the organization. */
export function AddGroup({ close }: { close: Close<void> }) {
  const [name, setName] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const toast = useToast()
  const { mutateAsync, isPending } = useMutation('createGroup', { errorInPlace: true })

  async function submit() {
    if (isPending) return
    if (name.trim() === '') return setRefusal('Enter a name for the group.')
    try {
      const group = await mutateAsync({ body: { name: name.trim() } })
      toast({ title: 'Group added', detail: group.name })
      close()
    } catch (error) {
      setRefusal((error as Error).message)
    }
  }

  return (
    <DialogPanel
      title="Add a group"
      saving={isPending}
      onSubmit={submit}
      actions={
        <>
          <Button disabled={isPending} onClick={() => close()}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" busy={isPending} busyLabel="Adding">
            Add group
          </Button>
        </>
      }
    >
      <Field label="Group name" error={refusal} hint="You stay in your own group. Whoever joins the new one chooses its products.">
        <Input
          value={name}
          maxLength={groupNameLength}
          autoComplete="off"
          readOnly={isPending}
          customValidity={refusal}
          onChange={(event) => {
            setName(event.target.value)
            setRefusal(undefined)
          }}
        />
      </Field>
    </DialogPanel>
  )
}
