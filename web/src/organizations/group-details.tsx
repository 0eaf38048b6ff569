import type { Group } from '@lectern/contract/groups.ts'
import type { Organization } from '@lectern/contract/organizations.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useLocation, useNavigate } from 'react-router'
import { MemberList } from '../groups/member-list.tsx'
import { RenameGroup } from '../groups/rename-group.tsx'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { paths } from '../paths.ts'
import { ProductGrid } from '../products/product-card.tsx'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { EmptyState, ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { DeleteGroup } from './delete-group.tsx'
import { EpicData } from './epic-data.tsx'
import { OrganizationName } from './organization-name.tsx'

type GroupDetailsProps = { organization: Organization; group: Group }

/** A group of an organization: its products, its members, and what staff do with it (spec §2). */
export function GroupDetails({ organization, group }: GroupDetailsProps) {
  const title = `${group.name} Group Products`
  useDocumentTitle(title)
  const { open } = useDialog()
  const navigate = useNavigate()
  const { state } = useLocation()

  async function askToDelete() {
    const others = organization.groups.filter(({ gid }) => gid !== group.gid)
    const replacement = await open<number>((close) => <DeleteGroup group={group} others={others} close={close} />)
    if (replacement === undefined) return
    const path = paths.groupDetails({ organizationId: organization.id, groupId: replacement })
    await navigate(path, { replace: true, state })
  }

  return (
    <>
      <PageHead
        trail={<OrganizationName organization={organization} />}
        title={title}
        actions={
          <>
            <Button icon={Pencil} onClick={() => open<void>((close) => <RenameGroup group={group} close={close} />)}>
              Rename
            </Button>
            <Button variant="danger" icon={Trash2} onClick={askToDelete}>
              Delete Group
            </Button>
          </>
        }
      />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          <GroupProducts group={group} />
          <Panel flush title={`Group Members (${formatNumber(group.users.length)} members)`}>
            <MemberList members={group.users} />
          </Panel>
        </div>
        <aside className="grid gap-4" aria-label="Organization">
          <Panel title="About this group">
            <DefinitionList
              left
              items={[
                ['Group', <span className="wrap-anywhere">{group.name}</span>],
                ['Organization', <span className="wrap-anywhere">{organization.name || 'Registration not complete'}</span>],
                ['Organization ID', <span className="mono wrap-anywhere">{organization.id}</span>],
                ['Its groups', formatNumber(organization.groups.length)],
              ]}
            />
            <div className="mt-4 border-t border-rule pt-3">
              <EpicData organization={organization} />
            </div>
          </Panel>
        </aside>
      </div>
    </>
  )
}

function GroupProducts({ group }: { group: Group }) {
  const { data, isError, isFetching, refetch } = useQuery(q('listProducts', {}))
  const chosen = data?.filter(({ productId }) => group.products.includes(productId))
  if (chosen && chosen.length > 0) return <ProductGrid products={chosen} />
  return (
    <Panel flush aria-label="Products">
      {chosen ? (
        <EmptyState>This group has chosen no products yet.</EmptyState>
      ) : isError ? (
        <ErrorPanel message="Error loading products" onRetry={refetch} retrying={isFetching} />
      ) : (
        <p className="p-4 text-ink-2" role="status">
          Loading...
        </p>
      )}
    </Panel>
  )
}
