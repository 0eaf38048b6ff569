import { counted } from '@lectern/contract/text/numbers.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { listAddress, pageQuery, searchQuery, text, useList } from '../lib/list-address.ts'
import { useSettings } from '../lib/settings.ts'
import { Button } from '../ui/button/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { ListSearch } from '../ui/table/list-search.tsx'
import { ListPager } from '../ui/table/paged-table.tsx'
import { OrganizationSection } from './organization-section.tsx'

export const organizationsAddress = listAddress({ filters: { search: text() } })

export default function OrganizationsPage() {
  const { providerName } = useSettings()
  const title = `All ${providerName} Customer Groups`
  useDocumentTitle(title)
  const list = useList(organizationsAddress)
  const { search } = list.state
  const query = useQuery({
    ...q('listAllOrganizations', { query: { ...pageQuery(list.state), ...searchQuery(search) } }),
    placeholderData: keepPreviousData,
  })
  const isOld = query.isPlaceholderData

  return (
    <Page>
      <PageHead
        title={title}
        intro={<Totals />}
        actions={<ListSearch list={list} className="w-full sm:w-88" label="Search by organization" placeholder="Search by organization" />}
      />
      <Panel flush aria-label="Organizations" className="overflow-hidden">
        <QueryStates query={query} failed="Error loading organizations" loading={<Loading />}>
          {({ organizationList, totalCount }) =>
            totalCount === 0 && !isOld ? (
              <NoOrganizations search={search.trim()} onClear={list.clear} />
            ) : (
              <div className={classNames(isOld && 'table-dimmed')} aria-busy={isOld || undefined}>
                {organizationList.map((organization) => (
                  <OrganizationSection key={organization.id} organization={organization} />
                ))}
              </div>
            )
          }
        </QueryStates>
        <ListPager list={list} query={query} noun={['organization', 'organizations']} />
      </Panel>
    </Page>
  )
}

function Totals() {
  const { data, isError } = useQuery(q('getDirectoryTotals', {}))
  if (isError) return 'Error loading the totals.'
  if (!data) return <span title="loading...">...</span>
  const { organizations, groups, members } = data
  return `${counted(organizations, 'organization')}, ${counted(groups, 'group')}, ${counted(members, 'member')}.`
}

function NoOrganizations({ search, onClear }: { search: string; onClear: () => void }) {
  if (search === '') return <EmptyState>No organizations yet. They appear when customers register.</EmptyState>
  return (
    <EmptyState
      action={
        <Button variant="link" onClick={onClear}>
          Clear search
        </Button>
      }
    >
      No organization matches “{search}”.
    </EmptyState>
  )
}

function Loading() {
  return (
    <div aria-busy="true">
      <p className="sr-only" role="status">
        Loading...
      </p>
      {[180, 220, 160, 200].map((width) => (
        <div key={width} className="organization" aria-hidden="true">
          <div className="organization-head min-h-23">
            <Skeleton width={width} />
          </div>
          <ul className="organization-grid">
            <li>
              <Skeleton width={110} />
            </li>
          </ul>
        </div>
      ))}
    </div>
  )
}
