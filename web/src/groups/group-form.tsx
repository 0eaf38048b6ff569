import { type Group, GroupInput } from '@lectern/contract/groups.ts'
import { useMutation } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/text-field.tsx'

export function AddGroup({ close }: { close: Close<void> }) {
  const toast = useToast()
  const { mutateAsync } = useMutation('createGroup', { errorInPlace: true })
  const bound = useContractForm({
    schema: GroupInput,
    values: { name: '' },
    draft: 'group',
    failureAt: 'name',
    save: (body) => mutateAsync({ body }),
    onSaved({ name }) {
      toast({ title: 'Group added', detail: name })
      close()
    },
  })
  return (
    <FormDialog title="Add a group" bound={bound} submit={['Add group', 'Adding']} close={close}>
      <TextField name="name" hint="You stay in your own group. Its members see the products that are chosen for it." />
    </FormDialog>
  )
}

export function RenameGroup({ group, close }: { group: Group; close: Close<void> }) {
  const toast = useToast()
  const { mutateAsync } = useMutation('renameGroup', { errorInPlace: true })
  const bound = useContractForm({
    schema: GroupInput,
    values: { name: group.name },
    draft: `group/${group.gid}`,
    failureAt: 'name',
    save: (body) => mutateAsync({ params: { id: group.gid }, body }),
    onSaved({ name }) {
      toast({ title: 'Group renamed', detail: name })
      close()
    },
  })
  return (
    <FormDialog title="Rename group" bound={bound} submit={['Rename', 'Renaming']} close={close}>
      <TextField name="name" hint="Its members see the new name at once." />
    </FormDialog>
  )
}
