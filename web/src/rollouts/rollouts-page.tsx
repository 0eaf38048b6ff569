import './rollouts.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useScreens } from '../lib/screens.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { EmptyState, ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { Pager } from '../ui/table/pager.tsx'
import { Table } from '../ui/table/table.tsx'
import { rolloutColumns } from './rollout-columns.tsx'

const pageSize = 10
/** How often the list is read again while it is visible, in ms. */
const refreshEvery = 5_000

/** `/codedm/rollouts`: what became of each publish, the newest first. */
export default function RolloutsPage() {
  useDocumentTitle('Rollouts')
  const organizationId = useOrganization()
  const [address, setAddress] = useSearchParams()
  const wanted = Number(address.get('page') ?? 1)
  const page = Number.isInteger(wanted) && wanted > 0 && wanted < 1_000_000 ? wanted : 1
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...q('listRollouts', { params: { organizationId }, query: { PageNumber: page - 1, PageSize: pageSize } }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery,
  })
  return (
    <Page>
      <PageHead title="Rollouts" intro="What became of each publish of configuration or firmware, the newest first." />
      <Panel flush aria-label="All rollouts" className="overflow-hidden">
        {error && !data ? (
          <ErrorPanel message="Error loading the rollouts" detail={error.message} onRetry={refetch} retrying={isFetching} />
        ) : (
          <Table
            label="Rollouts"
            columns={rolloutColumns}
            rows={data?.rolloutList ?? []}
            rowId={({ id }) => id}
            dimmed={isPlaceholderData}
            loading={data ? 0 : 5}
            empty={<NothingYet />}
          />
        )}
        {data && data.totalCount > 0 && (
          <Pager
            page={page}
            pageSize={pageSize}
            total={data.totalCount}
            noun="rollouts"
            onPage={(next) => setAddress(next > 1 ? { page: String(next) } : {}, { preventScrollReset: true })}
          />
        )}
      </Panel>
    </Page>
  )
}

function NothingYet() {
  const find = useScreens()
  const ways = [
    { to: paths.applyConfig(), label: 'Configure Zones' },
    { to: paths.manageFirmware(), label: 'Manage Firmware' },
  ].filter(({ to }) => find(to) !== null)
  return (
    <EmptyState
      action={
        ways.length > 0 && (
          <span className="flex flex-wrap justify-center gap-4">
            {ways.map(({ to, label }) => (
              <ButtonLink key={to} to={to} variant="link">
                {label}
              </ButtonLink>
            ))}
          </span>
        )
      }
    >
      Nothing has been published yet.
    </EmptyState>
  )
}
