import type { Group } from '@lectern/contract/groups.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { useState } from 'react'
import { useMutation } from '../lib/api/query.ts'
import { Button } from '../ui/button/button.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { DialogPanel } from '../ui/dialog/dialog-panel.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Field, FieldError } from '../ui/form/field.tsx'
import { RadioGroup } from '../ui/input/radio-group.tsx'
import { Select } from '../ui/input/select.tsx'

/** So few choices are radios, more a select (spec §9). */
const fewChoices = 3

type DeleteGroupProps = { group: Group; others: readonly Group[]; close: Close<number> }

/** Asks where a group's members and their products go, and deletes it. Resolves with the replacement's id (spec §5, decided). */
export function DeleteGroup({ group, others, close }: DeleteGroupProps) {
  const [only] = others
  const [replacement, setReplacement] = useState(others.length === 1 && only ? String(only.gid) : undefined)
  const [failure, setFailure] = useState<string>()
  const toast = useToast()
  const remove = useMutation('deleteGroup', {
    errorInPlace: true,
  })
  if (others.length === 0) return <LastGroup group={group} close={close} />

  async function submit() {
    if (remove.isPending) return
    if (replacement === undefined) return setFailure('Choose the replacement group.')
    setFailure(undefined)
    const replacementGroupId = Number(replacement)
    try {
      await remove.mutateAsync({ params: { id: group.gid }, body: { replacementGroupId } })
      toast({ title: 'Group deleted', detail: group.name })
      close(replacementGroupId)
    } catch (error) {
      setFailure((error as Error).message)
    }
  }

  const choices = {
    value: replacement,
    options: others.map(({ gid, name, users }) => ({ value: String(gid), label: `${name} (${counted(users.length, 'member')})` })),
    onChange: (gid: string) => {
      setReplacement(gid)
      setFailure(undefined)
    },
  }
  return (
    <DialogPanel
      title={`Delete ${group.name}`}
      saving={remove.isPending}
      onSubmit={submit}
      actions={
        <>
          <Button data-autofocus disabled={remove.isPending} onClick={() => close()}>
            Back
          </Button>
          <Button variant="bad" type="submit" busy={remove.isPending} busyLabel="Deleting">
            Delete Group
          </Button>
        </>
      }
    >
      <p className="mb-4">{consequence(group)}</p>
      {others.length <= fewChoices ? (
        <div className="field">
          <span className="field-label" aria-hidden="true">
            Replacement group
          </span>
          <RadioGroup className="radio-group-stacked" label="Replacement group" {...choices} />
          {failure && (
            <div role="alert">
              <FieldError>{failure}</FieldError>
            </div>
          )}
        </div>
      ) : (
        <Field label="Replacement group" error={failure}>
          <Select placeholder="Choose a group" {...choices} />
        </Field>
      )}
    </DialogPanel>
  )
}

/** What moves. */
function consequence({ users, products }: Group): string {
  if (users.length === 0 && products.length === 0) return 'It has no members and no products. This cannot be undone.'
  const [members, all] = [counted(users.length, 'member'), counted(products.length, 'product')]
  return `Its ${members} and ${all} move to the replacement group. This cannot be undone.`
}

function LastGroup({ group, close }: { group: Group; close: Close<number> }) {
  return (
    <DialogPanel
      title={`Delete ${group.name}`}
      actions={
        <Button data-autofocus onClick={() => close()}>
          Close
        </Button>
      }
    >
      “{group.name}” is the last group of its organization and cannot be deleted. Its members would have nowhere to go.
    </DialogPanel>
  )
}
