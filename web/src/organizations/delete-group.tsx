import { type Group, GroupDeletion } from '@lectern/contract/groups.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { useMutation } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { Button } from '../ui/button/button.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { DialogPanel } from '../ui/dialog/dialog-panel.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { RadioField, SelectField } from '../ui/form/choice-fields.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'

/** Up to so many choices are radios; more are a select (spec §9). */
const fewChoices = 3

interface DeleteGroupProps {
  group: Group
  others: readonly Group[]
  close: Close<number>
}

/** Deletes a group; its members and products move to another group. Resolves with that group's id. */
export function DeleteGroup(props: DeleteGroupProps) {
  return props.others.length === 0 ? <LastGroup {...props} /> : <ChooseReplacement {...props} />
}

const toInput = ({ replacementGroupId: id }: { replacementGroupId: string }) => ({ replacementGroupId: id === '' ? null : Number(id) })

function ChooseReplacement({ group, others, close }: DeleteGroupProps) {
  const toast = useToast()
  const { mutateAsync } = useMutation('deleteGroup', { errorInPlace: true })
  const [only, ...more] = others
  const bound = useContractForm({
    schema: GroupDeletion,
    values: { replacementGroupId: only && more.length === 0 ? String(only.gid) : '' },
    toInput,
    failureAt: 'replacementGroupId',
    draft: `delete-group/${group.gid}`,
    save: ({ replacementGroupId }) => mutateAsync({ params: { id: group.gid }, body: { replacementGroupId: Number(replacementGroupId) } }),
    onSaved(_, { replacementGroupId }) {
      toast({ title: 'Group deleted', detail: group.name })
      close(Number(replacementGroupId))
    },
  })
  const options = others.map(({ gid, name, users }) => ({ value: String(gid), label: `${name} (${counted(users.length, 'member')})` }))
  return (
    <FormDialog title={`Delete ${group.name}`} bound={bound} submit={['Delete Group', 'Deleting']} destructive close={close}>
      <p>{describeDeletion(group)}</p>
      {others.length <= fewChoices ? (
        <RadioField name="replacementGroupId" options={options} stacked />
      ) : (
        <SelectField name="replacementGroupId" options={options} placeholder="Choose a group" />
      )}
    </FormDialog>
  )
}

function describeDeletion({ users, products }: Group): string {
  if (users.length === 0 && products.length === 0) return 'It has no members and no products. This cannot be undone.'
  const [members, all] = [counted(users.length, 'member'), counted(products.length, 'product')]
  return `Its ${members} and ${all} move to the replacement group. This cannot be undone.`
}

function LastGroup({ group, close }: DeleteGroupProps) {
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
