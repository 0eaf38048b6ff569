import { BuilderDevice } from '@lectern/contract/barcode/catalogue.ts'
import type { SavedConfiguration } from '@lectern/contract/library.ts'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { formatMinute } from '../lib/format.ts'
import { Button } from '../ui/button/button.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'

export type LibraryRow = SavedConfiguration & { key: string; isOpen: boolean }

const column = columnHelper<LibraryRow>()

/** The columns of the library (spec §2); `onToggle` opens and closes a row. */
export const libraryColumns = (onToggle: (key: string) => void) =>
  column.columns([
    column.accessor('name', {
      header: 'Configuration Name',
      sortFn: 'alphanumeric',
      meta: { className: 'whitespace-normal wrap-anywhere py-1 font-semibold', record: 'title', width: 160 },
    }),
    column.accessor('device', {
      header: 'Device',
      sortFn: 'alphanumeric',
      meta: { record: 'subtitle', width: 80 },
      cell: ({ getValue }) => (
        <span className="flex flex-wrap items-center gap-2">
          {getValue()}
          {!BuilderDevice.safeParse(getValue()).success && <Badge kind="warn">config not supported for device</Badge>}
        </span>
      ),
    }),
    column.accessor('creationDate', {
      header: 'Creation Date',
      sortFn: 'basic',
      sortDescFirst: true,
      meta: { className: 'text-ink-2', width: 120 },
      cell: ({ getValue }) => formatMinute(getValue()),
    }),
    column.display({
      id: 'more',
      header: 'View QR, Print, More Info',
      meta: { numeric: true, record: 'aside', width: 60 },
      cell: ({ row: { original: row } }) => (
        <Button
          small
          variant="ghost"
          iconAfter={row.isOpen ? ChevronUp : ChevronDown}
          aria-expanded={row.isOpen}
          aria-label={`${row.isOpen ? 'Close' : 'View'} ${row.name}`}
          onClick={() => onToggle(row.key)}
        >
          {row.isOpen ? 'Close' : 'View'}
        </Button>
      ),
    }),
  ])
