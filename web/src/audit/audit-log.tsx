import type { AuditChoices, AuditFilter } from '@lectern/contract/audit/audit.ts'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useMemo } from 'react'
import { useApi } from '../lib/api/api.ts'
import { saveFile } from '../lib/files/save-file.ts'
import { useList } from '../lib/list-address.ts'
import { TaskButton } from '../ui/button/task-button.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { useMediaQuery } from '../ui/media-query.ts'
import { Facets } from '../ui/table/facets.tsx'
import { auditAddress, findsSingle, toFilter } from './audit-address.ts'
import { AuditEntries } from './audit-entries.tsx'
import { AuditToolbar } from './audit-toolbar.tsx'
import { fromTypeValue, listTypeChoices, toTypeValue } from './change-labels.ts'
import { type Log, useAuditEntries } from './use-audit-entries.ts'

interface AuditLogProps {
  log: Log
  intro: string
  // Whether it is the log of the organization whose pages these are.
  isOwn?: boolean
}

export function AuditLog({ log, intro, isOwn = false }: AuditLogProps) {
  const list = useList(auditAddress)
  const { state } = list
  const filter = useMemo(() => toFilter(state), [state])
  const choices = useAuditChoices(log)
  const query = useAuditEntries(log, filter, { fold: state.entries === 'folded' && !findsSingle(state) })
  const hasRail = useMediaQuery('(width >= 75rem)')
  const ofOrganization = log !== null
  const types = listTypeChoices(choices, state.type, ofOrganization)
  return (
    <Page>
      <PageHead title="Audit Log" intro={intro} actions={<ExportAuditLog log={log} filter={filter} />} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[17rem_minmax(0,1fr)]">
        {hasRail && (
          <Panel title="Type of change" flush foot={<p className="text-12 text-ink-3">The numbers count all entries of the log.</p>}>
            <Facets
              label="Type of change"
              choices={types}
              value={toTypeValue(state.type)}
              onChange={(value) => list.show({ type: fromTypeValue(value) })}
            />
          </Panel>
        )}
        <Panel flush aria-label="Entries">
          <AuditToolbar list={list} choices={choices} types={hasRail ? undefined : types} ofOrganization={ofOrganization} />
          <AuditEntries query={query} log={log} isOwn={isOwn} onNarrow={list.show} onShowAll={list.isFiltered ? list.clear : undefined} />
        </Panel>
      </div>
    </Page>
  )
}

function ExportAuditLog({ log, filter }: { log: Log; filter: AuditFilter }) {
  const { download } = useApi()
  const read = () =>
    log === null
      ? download('downloadVendorAuditLog', { query: filter }, 'audit-log.csv')
      : download('downloadAuditLog', { params: { organizationId: log }, query: filter }, 'audit-log.csv')
  return (
    <TaskButton icon={Download} busyLabel="Exporting" task={async () => saveFile(await read())} failure="Audit log not exported">
      Export to CSV
    </TaskButton>
  )
}

function useAuditChoices(log: Log): AuditChoices | undefined {
  const { call } = useApi()
  return useQuery({
    queryKey: ['getAuditChoices', log],
    queryFn: ({ signal }): Promise<AuditChoices> =>
      log === null
        ? call('getVendorAuditChoices', {}, { signal })
        : call('getAuditChoices', { params: { organizationId: log } }, { signal }),
  }).data
}
