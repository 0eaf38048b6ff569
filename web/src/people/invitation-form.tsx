import { InvitationInput, type SentInvitation } from '@lectern/contract/people/people.ts'
import { useQuery } from '@tanstack/react-query'
import { q, useMutation } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { formatMinute } from '../lib/format.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { SelectField } from '../ui/form/choice-fields.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { RoleField } from './role-field.tsx'
import { rolesElsewhere, useRoles } from './roles.ts'

interface InvitationFormProps {
  organizationId: string
  // The group that is chosen at first.
  groupId: number
  close: Close<SentInvitation>
}

const toInput = ({ groupId, ...values }: { email: string; roleId: string; groupId: string }) => ({ ...values, groupId: Number(groupId) })

export function InvitationForm({ organizationId, groupId, close }: InvitationFormProps) {
  const toast = useToast()
  const { data: groups } = useQuery(q('listGroups', { query: { members: 'counted' } }))
  const { data: roles } = useRoles(organizationId)
  const { mutateAsync } = useMutation('createInvitation', { errorInPlace: true })
  const bound = useContractForm({
    schema: InvitationInput,
    values: { email: '', roleId: 'viewer', groupId: String(groupId) },
    toInput,
    draft: 'invitation',
    failureAt: 'email',
    save: (values) => mutateAsync({ params: { organizationId }, body: toInput(values) }),
    onSaved(sent) {
      if (sent.link === null)
        toast({ title: `${sent.email} is invited`, detail: `The invitation is good until ${formatMinute(sent.expiresAt)}.` })
      close(sent)
    },
  })
  return (
    <FormDialog title="Invite a colleague" bound={bound} submit={['Invite', 'Inviting']} close={close}>
      <TextField name="email" type="email" />
      {roles?.areReadOnly ? <p className="text-13 text-ink-2">{rolesElsewhere}</p> : <RoleField organizationId={organizationId} />}
      <SelectField
        name="groupId"
        options={groups?.map(({ gid, name }) => ({ value: String(gid), label: name })) ?? []}
        placeholder="Loading..."
        hint="Members of a group share its products."
      />
    </FormDialog>
  )
}
