import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import { type ReaderState, type RolloutDetail, type RolloutReader, readerStates } from '@lectern/contract/rollouts.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { formatMinute } from '../lib/format.ts'
import { Button } from '../ui/button/button.tsx'
import { EmptyState, ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { SearchInput } from '../ui/input/search-input.tsx'
import { Select } from '../ui/input/select.tsx'
import { useTypedText } from '../ui/input/typed-text.ts'
import { Panel } from '../ui/layout/panel.tsx'
import { Pager } from '../ui/table/pager.tsx'
import { Table } from '../ui/table/table.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { everyReader, type ReaderView, readReaders, writeReaders } from './reader-address.ts'
import { ReaderLink } from './reader-link.tsx'
import { readerLook } from './rollout-words.ts'

const pageSize = 25
/** How often the page of readers is read again while it is visible, in ms. */
const refreshEvery = 5_000

const column = columnHelper<RolloutReader>()
const columns = column.columns([
  column.accessor('serialNumber', {
    header: 'Serial number',
    enableSorting: false,
    meta: { record: 'title', width: 90 },
    cell: ({ getValue }) => <ReaderLink serialNumber={getValue()} />,
  }),
  column.accessor('state', {
    header: 'State',
    enableSorting: false,
    meta: { record: 'aside', width: 90 },
    cell: ({ row: { original } }) => {
      const { kind, word } = readerLook[original.state]
      return (
        <Status kind={kind} spoken="">
          {original.percent === undefined ? word : `${word}, ${original.percent}%`}
        </Status>
      )
    },
  }),
  column.accessor('zone', { header: 'Zone', enableSorting: false, meta: { record: 'subtitle', width: 100 } }),
  column.accessor('deviceType', { header: 'Model', enableSorting: false, meta: { width: 60 } }),
  column.accessor(({ content }) => content.name, { id: 'content', header: 'Content', enableSorting: false, meta: { width: 110 } }),
  column.accessor('at', {
    header: 'Since',
    enableSorting: false,
    meta: { className: 'text-ink-2', width: 110 },
    cell: ({ getValue }) => (getValue() ? formatMinute(getValue() as string) : ''),
  }),
  column.accessor('reason', {
    header: 'Reason',
    enableSorting: false,
    meta: { className: 'whitespace-normal min-w-48 py-1', record: 'action', width: 160 },
  }),
])

/** The readers of a rollout, down to their serial numbers. The page's address holds which of them are shown. */
export function RolloutReaders({ rollout }: { rollout: RolloutDetail }) {
  const organizationId = useOrganization()
  const [address, setAddress] = useSearchParams()
  const { hash, key } = useLocation()
  const panel = useRef<HTMLElement>(null)
  // A link to some of them leads here, also when it is followed again.
  useEffect(() => {
    if (hash === '#readers') panel.current?.focus()
  }, [hash, key])
  const view = useMemo(() => readReaders(address), [address])
  const show = (next: Partial<ReaderView>) =>
    setAddress(writeReaders({ ...view, page: 0, ...next }), { preventScrollReset: true, replace: true })
  const [text, type] = useTypedText(view.text, (next) => show({ text: next }))
  const { zone, model, state, page } = view
  const query = { PageNumber: page, PageSize: pageSize, textFilter: view.text, zone, model, state }
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...q('listRolloutReaders', { params: { organizationId, id: rollout.id }, query }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery,
  })
  const zones = useMemo(() => new Map(rollout.parts.flatMap((part) => (part.zoneId ? [[part.zoneId, part.zone]] : []))), [rollout.parts])
  const models = useMemo(() => [...new Set(rollout.parts.map(({ deviceType }) => deviceType))].sort(), [rollout.parts])
  const isNarrowed = String(writeReaders({ ...view, page: 0 })) !== ''

  return (
    <Panel flush id="readers" title="Readers" className="overflow-hidden" tabIndex={-1} ref={panel}>
      {error && !data ? (
        <ErrorPanel message="Error loading the readers" detail={error.message} onRetry={refetch} retrying={isFetching} />
      ) : (
        <>
          <Table
            label="Readers of the rollout"
            columns={columns}
            rows={data?.readerList ?? []}
            rowId={({ serialNumber, content }) => `${serialNumber} ${content.kind} ${content.name}`}
            dimmed={isPlaceholderData}
            loading={data ? 0 : 5}
            search={
              <>
                <SearchInput
                  label="Search by serial number"
                  placeholder="Serial number"
                  maxLength={64}
                  autoComplete="off"
                  value={text}
                  onChange={(event) => type(event.target.value)}
                />
                <OneOf
                  label="State"
                  none="All states"
                  options={readerStates.filter((one) => one !== 'replaced').map((one) => [one, readerLook[one].word])}
                  value={state}
                  onChange={(next) => show({ state: next as ReaderState | undefined })}
                />
                {zones.size > 1 && (
                  <OneOf label="Zone" none="All zones" options={[...zones]} value={zone} onChange={(next) => show({ zone: next })} />
                )}
                {models.length > 1 && (
                  <OneOf
                    label="Model"
                    none="All models"
                    options={models.map((one) => [one, one])}
                    value={model}
                    onChange={(next) => show({ model: next as DeviceModel | undefined })}
                  />
                )}
              </>
            }
            empty={
              <EmptyState
                action={
                  isNarrowed && (
                    <Button
                      variant="link"
                      onClick={() => {
                        type('')
                        show(everyReader)
                      }}
                    >
                      Show all readers
                    </Button>
                  )
                }
              >
                {isNarrowed ? 'No reader matches.' : 'There is no reader to show.'}
              </EmptyState>
            }
          />
          {rollout.counts.replaced > 0 && (
            <p className="rollout-remark">Which readers were still to be served when something newer was published is not kept.</p>
          )}
          {data && data.totalCount > 0 && (
            <Pager page={page + 1} pageSize={pageSize} total={data.totalCount} noun="readers" onPage={(next) => show({ page: next - 1 })} />
          )}
        </>
      )}
    </Panel>
  )
}

type OneOfProps = {
  label: string
  none: string
  options: readonly (readonly [value: string, label: string])[]
  value: string | undefined
  onChange: (value: string | undefined) => void
}

const all = 'all'

function OneOf({ label, none, options, value = all, onChange }: OneOfProps) {
  const known = value === all || options.some(([one]) => one === value) ? options : [...options, [value, value] as const]
  return (
    <Select
      className="rollout-filter"
      label={label}
      options={[{ value: all, label: none }, ...known.map(([one, name]) => ({ value: one, label: name }))]}
      value={value}
      onChange={(next) => onChange(next === all ? undefined : next)}
    />
  )
}
