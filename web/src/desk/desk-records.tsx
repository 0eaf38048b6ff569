import './desk-records.css'
import type { DeskRecord, DeskRecordDetail } from '@lectern/contract/desk/desk.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { useApi } from '../lib/api/api.ts'
import { q } from '../lib/api/query.ts'
import { saveFile } from '../lib/files/save-file.ts'
import { formatMinute } from '../lib/format.ts'
import { useIsLimited, usePermission } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { TaskButton } from '../ui/button/task-button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { Comparison } from './comparison.tsx'

const pageSize = 10

/** The records of one reader, of one entry of the library, or of all. Nothing is shown where there is none. */
export function DeskRecords({ serialNumber, configuration }: { serialNumber?: string; configuration?: string }) {
  const organizationId = useOrganization()
  const { download } = useApi()
  const [page, setPage] = useState(0)
  const filter = { ...(serialNumber !== undefined && { serialNumber }), ...(configuration !== undefined && { configuration }) }
  const query = useQuery({
    ...q('listDeskRecords', { params: { organizationId }, query: { PageNumber: page, PageSize: pageSize, ...filter } }),
    placeholderData: keepPreviousData,
  })
  if (query.data?.totalCount === 0) return null
  const exportAll = async () =>
    saveFile(await download('downloadDeskRecords', { params: { organizationId }, query: filter }, 'desk-records.csv'))
  return (
    <Panel
      flush
      title="Set up at desks"
      actions={
        <TaskButton small icon={Download} busyLabel="Exporting" task={exportAll} failure="Records not exported">
          Export to CSV
        </TaskButton>
      }
    >
      <QueryStates query={query} failed="Error loading the records of desks">
        {({ recordList, totalCount }) => (
          <>
            <ul className="desk-records" aria-label="Records of desks">
              {recordList.map((record) => (
                <Item key={record.id} record={record} />
              ))}
            </ul>
            {totalCount > pageSize && (
              <div className="desk-records-foot">
                <Button small disabledReason={page === 0 ? 'These are the newest.' : undefined} onClick={() => setPage(page - 1)}>
                  Newer
                </Button>
                <Button
                  small
                  disabledReason={(page + 1) * pageSize >= totalCount ? 'These are the oldest.' : undefined}
                  onClick={() => setPage(page + 1)}
                >
                  Older
                </Button>
              </div>
            )}
          </>
        )}
      </QueryStates>
    </Panel>
  )
}

function Item({ record }: { record: DeskRecord }) {
  const { open } = useDialog()
  const [isOpen, setOpen] = useState(false)
  const isLimited = useIsLimited()
  const organizationId = useOrganization()
  const mayWithdraw = usePermission('manage:cfg') && !isLimited && !record.withdrawn
  const { configuration, keptBy, withdrawn } = record
  const withdraw = () =>
    open<void>(async (close) => {
      const { WithdrawRecord } = await import('./withdraw-record.tsx')
      return <WithdrawRecord organizationId={organizationId} record={record} close={close} />
    })
  return (
    <li>
      <p className="desk-records-head">
        <bdi className="mono font-semibold wrap-anywhere">{record.serialNumber}</bdi>
        {withdrawn && <Badge kind="warn">Withdrawn</Badge>}
        {record.typedSlowly && <Badge>Typed slowly</Badge>}
        <time dateTime={record.typedAt}>{formatMinute(record.typedAt)}</time>
      </p>
      <p className="wrap-anywhere">
        {configuration.name}
        {configuration.version !== undefined && `, version ${configuration.version}`}, typed by the reader at{' '}
        {keptBy === undefined ? 'an unknown person’s' : `${keptBy}’s`} desk
      </p>
      {withdrawn && (
        <p className="wrap-anywhere">
          Withdrawn{withdrawn.by !== undefined && ` by ${withdrawn.by}`}, {formatMinute(withdrawn.at)}: {withdrawn.reason}
        </p>
      )}
      <div className="desk-records-actions">
        <Button
          small
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Hide' : 'Show'} the text of ${record.serialNumber}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Hide the text' : 'Show the text'}
        </Button>
        {mayWithdraw && (
          <Button small variant="danger" aria-label={`Withdraw the record of ${record.serialNumber}`} onClick={withdraw}>
            Withdraw
          </Button>
        )}
      </div>
      {isOpen && <Text id={record.id} />}
    </li>
  )
}

function Text({ id }: { id: string }) {
  const query = useQuery(q('getDeskRecord', { params: { organizationId: useOrganization(), id } }))
  return (
    <QueryStates query={query} failed="Error loading the record">
      {({ commands, typed, identity, browser }: DeskRecordDetail) => (
        <div className="desk-records-text">
          <p className="wrap-anywhere">
            Typed as model: <bdi>{identity.model || 'nothing'}</bdi>. Typed as firmware: <bdi>{identity.firmware || 'nothing'}</bdi>.
            Browser: <bdi>{browser}</bdi>
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
          <pre tabIndex={0}>{typed}</pre>
          <Comparison sent={commands} text={typed} />
        </div>
      )}
    </QueryStates>
  )
}
