import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../button/button.tsx'
import { BatteryGauge } from '../feedback/battery-gauge.tsx'
import { EmptyState } from '../feedback/empty-state.tsx'
import { Status } from '../feedback/status.tsx'
import { SearchInput } from '../input/search-input.tsx'
import { Panel } from '../layout/panel.tsx'
import { Pager } from '../table/pager.tsx'
import { Table } from '../table/table.tsx'
import { columnHelper } from '../table/table-columns.ts'

interface Row {
  model: string
  serial: string
  zone: string
  host: string
  firmware: string
  seen: number
  battery: number | null
}

const rows: Row[] = [
  { model: 'CR2700', serial: '27P0418853', zone: 'ICU 3 North', host: 'NRH-ICU3N-02', firmware: '4.12.0', seen: 0, battery: 92 },
  { model: 'CR1500', serial: '15M2290146', zone: 'Pharmacy Main', host: 'NRH-PHM-11', firmware: '3.8.2', seen: 2, battery: null },
  { model: 'A271/2', serial: 'A2Z8807715', zone: 'ED Triage', host: 'NRH-EDT-04', firmware: '2.6.1', seen: 5, battery: 18 },
]

const column = columnHelper<Row>()
const columns = column.columns([
  column.accessor('model', { header: 'Device (Model)', meta: { className: 'font-semibold', record: 'title' } }),
  column.accessor('serial', { header: 'Serial Number', meta: { record: 'subtitle', className: 'mono' } }),
  column.accessor('zone', { header: 'Zone', meta: { record: 'aside' } }),
  column.accessor('host', { header: 'Host PC', meta: { record: 'hidden', className: 'mono text-ink-2' } }),
  column.accessor('firmware', { header: 'Firmware', meta: { record: 'note', className: 'mono' } }),
  column.accessor('seen', {
    header: 'Last Seen (days)',
    sortDescFirst: true,
    meta: { recordLabel: 'Seen, days' },
    cell: ({ getValue }) => <Status kind={getValue() < 2 ? 'ok' : getValue() < 4 ? 'warn' : 'bad'}>{getValue()}</Status>,
  }),
  column.accessor('battery', {
    header: 'Battery Health',
    enableSorting: false,
    meta: { recordLabel: 'Battery' },
    cell: ({ getValue }) => <BatteryGauge percent={getValue()} kind={(getValue() ?? 0) < 25 ? 'bad' : 'ok'} />,
  }),
])

const noRows: Row[] = []

export function TableSection() {
  const [page, setPage] = useState(1)
  const [size, setSize] = useState(10)
  const [search, setSearch] = useState('')
  return (
    <>
      <Panel aria-label="Devices" flush className="sheet-12">
        <Table
          label="Device table"
          columns={columns}
          rows={rows}
          rowId={(row) => row.serial}
          sort={{ id: 'seen', descending: true }}
          dimmed={search !== ''}
          search={
            <SearchInput
              label="Search"
              placeholder="device, zone, etc..."
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          }
          tools={
            <>
              <span className="toolbar-note">Last Updated is shown in UTC−08:00</span>
              <Button icon={Download}>Export to Excel</Button>
            </>
          }
        />
        <Pager page={page} pageSize={size} total={4218} noun="devices" onPage={setPage} onPageSize={setSize} />
      </Panel>
      <Panel title="Loading table" flush className="sheet-6">
        <Table label="Loading devices" columns={columns} rows={noRows} rowId={(row) => row.serial} loading={3} />
      </Panel>
      <Panel title="Empty table" flush className="sheet-6">
        <Table
          label="No devices"
          columns={columns}
          rows={noRows}
          rowId={(row) => row.serial}
          empty={<EmptyState>No devices.</EmptyState>}
        />
      </Panel>
    </>
  )
}
