import { GroupChoice, type Member, RoleChoice } from '@lectern/contract/people/people.ts'
import { useQuery } from '@tanstack/react-query'
import { q, useMutation } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { formatPerson } from '../lib/format.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { SelectField } from '../ui/form/choice-fields.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { RoleField } from './role-field.tsx'

interface MemberFormProps {
  member: Member
  organizationId: string
  close: Close<void>
}

export function ChangeRole({ member, organizationId, close }: MemberFormProps) {
  const toast = useToast()
  const { mutateAsync } = useMutation('changeMemberRole', { errorInPlace: true })
  const bound = useContractForm({
    schema: RoleChoice,
    values: { roleId: member.role?.roleId ?? '' },
    draft: `role/${member.memberId}`,
    failureAt: 'roleId',
    save: (body) => mutateAsync({ params: { organizationId, memberId: member.memberId }, body }),
    onSaved(saved) {
      toast({ title: `${formatPerson(saved)} is ${saved.role?.name} now` })
      close()
    },
  })
  return (
    <FormDialog title={`Role of ${formatPerson(member)}`} bound={bound} submit={['Change role', 'Changing']} close={close}>
      <RoleField organizationId={organizationId} />
    </FormDialog>
  )
}

export function ChangeGroup({ member, organizationId, close }: MemberFormProps) {
  const toast = useToast()
  const { data: groups } = useQuery(q('listGroups', { query: { members: 'counted' } }))
  const { mutateAsync } = useMutation('changeMemberGroup', { errorInPlace: true })
  const toInput = ({ groupId }: { groupId: string }) => ({ groupId: Number(groupId) })
  const bound = useContractForm({
    schema: GroupChoice,
    values: { groupId: String(member.group.gid) },
    toInput,
    draft: `group-of/${member.memberId}`,
    failureAt: 'groupId',
    save: (values) => mutateAsync({ params: { organizationId, memberId: member.memberId }, body: toInput(values) }),
    onSaved(saved) {
      toast({ title: `${formatPerson(saved)} is in ${saved.group.name} now` })
      close()
    },
  })
  return (
    <FormDialog title={`Group of ${formatPerson(member)}`} bound={bound} submit={['Move', 'Moving']} close={close}>
      <SelectField
        name="groupId"
        options={groups?.map(({ gid, name }) => ({ value: String(gid), label: name })) ?? []}
        placeholder="Loading..."
        hint="Members of a group share its products. What they may do stays as it is."
      />
    </FormDialog>
  )
}
