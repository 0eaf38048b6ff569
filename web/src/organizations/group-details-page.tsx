import type { Group } from '@lectern/contract/groups.ts'
import type { Organization } from '@lectern/contract/organizations.ts'
import type { Product } from '@lectern/contract/products.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { MemberList } from '../groups/member-list.tsx'
import { CallError } from '../lib/api/call-error.ts'
import { q, useMutation } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useListQuery } from '../lib/list-address.ts'
import { paths } from '../paths.ts'
import { ProductGrid } from '../products/product-card.tsx'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { NotFound } from '../ui/feedback/not-found.tsx'
import { type Query, QueryStates } from '../ui/feedback/query-states.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Checkbox } from '../ui/input/checkbox.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { BackStrip } from '../ui/layout/strip.tsx'
import { readGroupAddress } from './group-address.ts'
import { OrganizationName } from './organization-name.tsx'

export default function GroupDetailsPage() {
  const { organizationId, groupId } = readGroupAddress(useParams())
  const back = paths.organizations(useListQuery())
  const query = useQuery({ ...q('getOrganization', { params: { organizationId } }), enabled: groupId !== null })
  const products = useQuery(q('listProducts', {}))
  const group = query.data?.groups.find(({ gid }) => gid === groupId)
  const isMissing = groupId === null || (query.data ? !group : query.error instanceof CallError && query.error.status === 404)

  return (
    <>
      <BackStrip to={back} label="All Organizations" />
      <Page>
        {isMissing ? (
          <GroupNotFound back={back} />
        ) : (
          <QueryStates query={query} failed="Error loading the group">
            {(organization) => group && <GroupDetails organization={organization} group={group} products={products} />}
          </QueryStates>
        )}
      </Page>
    </>
  )
}

function GroupNotFound({ back }: { back: string }) {
  useDocumentTitle('Group not found')
  return (
    <NotFound title="Group not found" to={back} back="All Organizations">
      This organization has no such group. It may have been deleted, or the link was cut short.
    </NotFound>
  )
}

interface GroupDetailsProps {
  organization: Organization
  group: Group
  products: Query<Product[]>
}

function GroupDetails({ organization, group, products }: GroupDetailsProps) {
  // Spec §2, docs/decisions/0029.
  const title = /\bProducts$/i.test(group.name) ? group.name : `${group.name} Group Products`
  useDocumentTitle(title)
  const { open } = useDialog()
  const navigate = useNavigate()
  const { state } = useLocation()

  async function askToDelete() {
    const others = organization.groups.filter(({ gid }) => gid !== group.gid)
    const replacement = await open<number>(async (close) => {
      const { DeleteGroup } = await import('./delete-group.tsx')
      return <DeleteGroup group={group} others={others} close={close} />
    })
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
            <Button
              icon={Pencil}
              onClick={() =>
                open<void>(async (close) => {
                  const { RenameGroup } = await import('../groups/group-form.tsx')
                  return <RenameGroup group={group} close={close} />
                })
              }
            >
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
          <GroupProducts group={group} query={products} />
          <Panel flush title={`Group Members (${formatNumber(group.users.length)} members)`}>
            <MemberList members={group.users} />
          </Panel>
        </div>
        <AboutGroup organization={organization} group={group} />
      </div>
    </>
  )
}

function AboutGroup({ organization, group }: Omit<GroupDetailsProps, 'products'>) {
  return (
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
  )
}

function GroupProducts({ group, query }: { group: Group; query: Query<Product[]> }) {
  const chosen = query.data?.filter(({ productId }) => group.products.includes(productId)) ?? []
  if (chosen.length > 0) return <ProductGrid products={chosen} />
  return (
    <Panel flush aria-label="Products">
      <QueryStates query={query} failed="Error loading products">
        {() => <EmptyState>This group has chosen no products yet.</EmptyState>}
      </QueryStates>
    </Panel>
  )
}

/** The mark that staff set on an organization (spec §3). It is saved at once. */
function EpicData({ organization: { id, hasEpicData } }: { organization: Organization }) {
  const toast = useToast()
  const client = useQueryClient()
  const mark = useMutation('markOrganization', {
    onSuccess: (organization) => {
      client.setQueryData(q('getOrganization', { params: { organizationId: id } }).queryKey, organization)
      toast({ title: organization.hasEpicData ? 'Marked as having Epic data' : 'Mark “Epic data” removed' })
    },
  })
  return (
    <Checkbox
      checked={mark.isPending ? mark.variables.body.hasEpicData : hasEpicData}
      aria-disabled={mark.isPending || undefined}
      onChange={(event) => {
        if (!mark.isPending) mark.mutate({ params: { organization: id }, body: { hasEpicData: event.target.checked } })
      }}
    >
      Epic data
    </Checkbox>
  )
}
