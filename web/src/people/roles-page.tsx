import type { Role } from '@lectern/contract/people/roles.ts'
import { foldName } from '@lectern/contract/text/clean-name.ts'
import { formatNames } from '@lectern/contract/text/names.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useOrganization } from '../lib/active-organization.ts'
import { useMutation } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { listAddress, text, useList } from '../lib/list-address.ts'
import { Button } from '../ui/button/button.tsx'
import { useConfirmDelete } from '../ui/dialog/confirm-delete.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { ListSearch } from '../ui/table/list-search.tsx'
import { everyMember } from './permission-words.ts'
import { RoleEffects } from './role-effects.tsx'
import { rolesElsewhere, useMayGrant, useRoles } from './roles.ts'

export const rolesAddress = listAddress({ filters: { search: text() } })

// More roles than these can be searched.
const fewRoles = 10

export default function RolesPage() {
  useDocumentTitle('Roles')
  const organizationId = useOrganization()
  const query = useRoles(organizationId)
  const list = useList(rolesAddress)
  const search = foldName(list.state.search)
  const { open } = useDialog()
  const areReadOnly = query.data?.areReadOnly ?? true
  const add = () =>
    open<void>(async (close) => {
      const { NewRole } = await import('./role-form.tsx')
      return <NewRole organizationId={organizationId} close={close} />
    })
  return (
    <Page>
      <PageHead
        title="Roles"
        intro={`What members may do. Each has one role. ${everyMember} A role may be limited to zones, by name or by tag.`}
        actions={!areReadOnly && <Button variant="primary" icon={Plus} onClick={add} children="Add a role" />}
      />
      {query.data?.areReadOnly && <Notice className="mb-4">{rolesElsewhere}</Notice>}
      <Panel flush aria-label="Roles">
        <QueryStates query={query} failed="Error loading roles">
          {({ roleList }) => {
            const matching = roleList.filter(({ name }) => foldName(name).includes(search))
            return (
              <>
                {(roleList.length > fewRoles || search !== '') && (
                  <div className="border-b border-rule p-4">
                    <ListSearch list={list} label="Search roles" placeholder="Role name" />
                  </div>
                )}
                {matching.length === 0 && <EmptyState>No role matches.</EmptyState>}
                <ul className="divide-y divide-rule">
                  {matching.map((role) => (
                    <RoleItem key={role.roleId} role={role} organizationId={organizationId} areReadOnly={areReadOnly} />
                  ))}
                </ul>
              </>
            )
          }}
        </QueryStates>
      </Panel>
    </Page>
  )
}

interface RoleItemProps {
  role: Role
  organizationId: string
  areReadOnly: boolean
}

function RoleItem({ role, organizationId, areReadOnly }: RoleItemProps) {
  const { name, members, permissions, zones, isBuiltIn } = role
  return (
    <li className="grid gap-3 p-4 sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 gap-2">
        <h2 className="flex flex-wrap items-center gap-2 heading-3">
          <bdi className="wrap-anywhere">{name}</bdi>
          {isBuiltIn && <Badge>Built in</Badge>}
          <span className="text-13 font-normal text-ink-2">{counted(members, 'member')}</span>
        </h2>
        <RoleEffects permissions={permissions} isLimited={zones !== undefined} />
        {zones && <RoleLimit {...role} />}
      </div>
      {!isBuiltIn && !areReadOnly && <RoleActions role={role} organizationId={organizationId} />}
    </li>
  )
}

const mostNamed = 5

function RoleLimit({ zones = [], tags = [], zoneCount = 0 }: Role) {
  return (
    <div className="flex flex-wrap items-center gap-2 text-13 text-ink-2">
      <Badge>Limited to {counted(zoneCount, 'zone')}</Badge>
      {zones.length > 0 && (
        <bdi className="min-w-0 wrap-anywhere">
          {formatNames(
            zones.map(({ name }) => name),
            mostNamed,
          )}
        </bdi>
      )}
      {tags.length > 0 && (
        <span className="min-w-0 wrap-anywhere">
          {zones.length > 0 ? 'and those tagged ' : 'Those tagged '}
          <bdi>{formatNames(tags, mostNamed)}</bdi>
        </span>
      )}
      {zoneCount === 0 && <span>{tags.length > 0 ? 'No zone has the tag: it sees none.' : 'Its zones were deleted: it sees none.'}</span>}
    </div>
  )
}

function RoleActions({ role, organizationId }: Omit<RoleItemProps, 'areReadOnly'>) {
  const { open } = useDialog()
  const confirmDelete = useConfirmDelete()
  const isAbove = !useMayGrant()(role.permissions)
  const disabledReason = isAbove ? 'This role permits more than you may.' : undefined
  const { mutateAsync: remove } = useMutation('deleteRole', { awaitReads: true, errorInPlace: true })
  const { roleId, name } = role
  const askToDelete = () =>
    confirmDelete({
      resource: 'Role',
      label: name,
      title: `the role ${name}`,
      consequence: 'A role that a member or an open invitation has stays: give them another one first.',
      delete: () => remove({ params: { organizationId, roleId } }),
    })
  return (
    <div className="flex items-start gap-2">
      <Button
        small
        icon={Pencil}
        aria-label={`Edit the role ${name}`}
        disabledReason={disabledReason}
        onClick={() =>
          open<void>(async (close) => {
            const { EditRole } = await import('./role-form.tsx')
            return <EditRole organizationId={organizationId} role={role} close={close} />
          })
        }
      >
        Edit
      </Button>
      <Button
        small
        variant="danger"
        icon={Trash2}
        aria-label={`Delete the role ${name}`}
        disabledReason={disabledReason}
        onClick={() => void askToDelete()}
      >
        Delete
      </Button>
    </div>
  )
}
