import type { Permission } from '@lectern/contract/http/permissions.ts'
import { permissionLabels } from '@lectern/contract/people/permission-words.ts'
import { isOfZones, type Role, RoleInput } from '@lectern/contract/people/roles.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { useId } from 'react'
import { useController, useWatch } from 'react-hook-form'
import { q, useMutation } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { useEdit } from '../lib/form/edit.ts'
import { usePermissions } from '../lib/session.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { useBoundField } from '../ui/form/bound-form.tsx'
import { FieldError } from '../ui/form/field.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { Checkbox } from '../ui/input/checkbox.tsx'
import { describePermission, offeredPermissions } from './permission-words.ts'
import { ZonesField } from './zones-field.tsx'

// A role limited to zones cannot have permissions about the organization as a whole, so they are dropped.
const toInput = ({ permissions, zones, tags, ...rest }: RoleInput): RoleInput => ({
  ...rest,
  zones,
  ...(zones && { tags }),
  permissions: zones ? permissions.filter(isOfZones) : permissions,
})

const toValues = ({ name, permissions, zones, tags = [] }: Role): RoleInput => ({
  name,
  permissions,
  zones: zones?.map(({ id }) => id) ?? null,
  tags,
})

interface RoleDialogProps {
  organizationId: string
  close: Close<void>
}

export function NewRole({ organizationId, close }: RoleDialogProps) {
  const toast = useToast()
  const { mutateAsync } = useMutation('createRole', { errorInPlace: true })
  const bound = useContractForm<RoleInput, Role>({
    schema: RoleInput,
    values: { name: '', permissions: [], zones: null, tags: [] },
    toInput,
    draft: 'role-of-ones-own',
    save: (values) => mutateAsync({ params: { organizationId }, body: toInput(values) }),
    onSaved({ name }) {
      toast({ title: 'Role added', detail: name })
      close()
    },
  })
  return (
    <FormDialog title="Add a role" bound={bound} noun="role" submit={['Add role', 'Adding']} wide close={close}>
      <RoleFields organizationId={organizationId} />
    </FormDialog>
  )
}

export function EditRole({ organizationId, role, close }: RoleDialogProps & { role: Role }) {
  const toast = useToast()
  const params = { organizationId, roleId: role.roleId }
  const { mutateAsync } = useMutation('updateRole', { errorInPlace: true })
  const bound = useContractForm({
    schema: RoleInput,
    values: toValues(role),
    toInput,
    toValues,
    draft: `role-of-ones-own/${role.roleId}`,
    edit: useEdit(role, q('getRole', { params })),
    save: (values, basedOn) => mutateAsync({ params, body: toInput(values), basedOn }),
    onSaved({ name }) {
      toast({ title: 'Role saved', detail: name })
      close()
    },
  })
  return (
    <FormDialog title={`Edit the role ${role.name}`} bound={bound} noun="role" submit={['Save', 'Saving']} wide close={close}>
      <RoleFields organizationId={organizationId} />
      {role.members > 0 && <Notice>What you change holds at once for {counted(role.members, 'member')}.</Notice>}
    </FormDialog>
  )
}

const RoleFields = ({ organizationId }: { organizationId: string }) => (
  <>
    <TextField name="name" />
    <ZonesField organizationId={organizationId} />
    <PermissionsField />
  </>
)

function PermissionsField() {
  const { field } = useController<{ permissions: Permission[] }, 'permissions'>({ name: 'permissions' })
  const { label, error } = useBoundField('permissions')
  const held = usePermissions()
  const isLimited = useWatch<RoleInput, 'zones'>({ name: 'zones' }) != null
  const id = useId()
  const toggle = (permission: Permission, isOn: boolean) =>
    field.onChange(isOn ? [...field.value, permission] : field.value.filter((one) => one !== permission))
  return (
    <fieldset className="grid gap-2">
      <legend className="field-label mb-1">{label}</legend>
      {offeredPermissions.map((permission, index) => {
        const isHeld = held.includes(permission)
        const isPossible = !isLimited || isOfZones(permission)
        return (
          <div key={permission} className="grid gap-0.5">
            <Checkbox
              ref={index === 0 ? field.ref : undefined}
              disabled={!isHeld || !isPossible}
              checked={isPossible && field.value.includes(permission)}
              aria-describedby={`${id}-${permission}`}
              onBlur={field.onBlur}
              onChange={({ target }) => toggle(permission, target.checked)}
            >
              {permissionLabels[permission]}
            </Checkbox>
            <p id={`${id}-${permission}`} className="pl-7 text-13 text-ink-2">
              {describePermission(permission, isLimited)}
              {!isHeld && ' You do not have it yourself, so you cannot grant it.'}
              {!isPossible && ' Not for a role that is limited to zones.'}
            </p>
          </div>
        )
      })}
      {error && (
        <div role="alert">
          <FieldError>{error}</FieldError>
        </div>
      )}
    </fieldset>
  )
}
