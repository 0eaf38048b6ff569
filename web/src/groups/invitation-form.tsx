import type { Group } from '@lectern/contract/groups.ts'
import { InvitationInput } from '@lectern/contract/people/people.ts'
import { useQuery } from '@tanstack/react-query'
import { q, useMutation } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { formatMinute } from '../lib/format.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { SelectField } from '../ui/form/choice-fields.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/text-field.tsx'

interface InviteProps {
  group: Group
  organizationId: string
  close: Close<void>
}

export function InviteColleague({ group, organizationId, close }: InviteProps) {
  const toast = useToast()
  const { data: roles } = useQuery(q('listRoles', { params: { organizationId } }))
  const { mutateAsync } = useMutation('createInvitation', { errorInPlace: true })
  const bound = useContractForm({
    schema: InvitationInput,
    values: { email: '', roleId: 'viewer', groupId: group.gid },
    draft: 'invitation',
    failureAt: 'email',
    save: (body) => mutateAsync({ params: { organizationId }, body }),
    onSaved({ email, expiresAt }) {
      toast({ title: `${email} is invited`, detail: `The invitation is good until ${formatMinute(expiresAt)}.` })
      close()
    },
  })
  const options = roles?.roleList.map(({ roleId, name }) => ({ value: roleId, label: name })) ?? [{ value: 'viewer', label: 'Viewer' }]
  return (
    <FormDialog title="Invite a colleague" bound={bound} submit={['Invite', 'Inviting']} close={close}>
      <TextField name="email" type="email" />
      <SelectField name="roleId" options={options} hint="A role says what they may do. You can grant what you may do yourself." />
    </FormDialog>
  )
}
