import { counted } from '@lectern/contract/text/numbers.ts'
import { useWatch } from 'react-hook-form'
import { SelectField } from '../ui/form/choice-fields.tsx'
import { listEffects, nothingMore } from './permission-words.ts'
import { useRoleOptions, useRoles } from './roles.ts'

/** The form field `roleId`, with what the chosen role permits. */
export function RoleField({ organizationId }: { organizationId: string }) {
  const { data } = useRoles(organizationId)
  const options = useRoleOptions(data?.roleList)
  const chosen: string = useWatch({ name: 'roleId' })
  const role = data?.roleList.find(({ roleId }) => roleId === chosen)
  const isLimited = role?.zones !== undefined
  const effects = role && listEffects(role.permissions, isLimited).join(' ')
  const limit = isLimited ? ` It is limited to ${counted(role.zoneCount ?? 0, 'zone')}.` : ''
  return <SelectField name="roleId" options={options} placeholder="Loading..." hint={role && (effects || nothingMore) + limit} />
}
