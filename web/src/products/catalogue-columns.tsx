import type { Product } from '@lectern/contract/products.ts'
import { Pencil } from 'lucide-react'
import { formatDay } from '../lib/format.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'

const column = columnHelper<Product>()
const no = <span className="text-ink-3">No</span>

export const catalogueColumns = column.columns([
  column.accessor('productId', { header: 'ID', meta: { className: 'text-ink-2', width: 24 } }),
  column.accessor('title', {
    header: 'Title',
    meta: { className: 'min-w-40 whitespace-normal wrap-anywhere py-2 max-sm:col-span-full', record: 'title', width: 160 },
    cell: ({ row: { original: product } }) => (
      <>
        <b className="block font-semibold">{product.title}</b>
        <span className="block text-ink-2">{product.short}</span>
      </>
    ),
  }),
  column.accessor('productType', { header: 'Type', meta: { width: 70 } }),
  column.accessor('isDiscontinued', {
    header: 'Discontinued',
    meta: { width: 80 },
    cell: ({ getValue }) => (getValue() ? <Badge kind="warn">Discontinued</Badge> : no),
  }),
  column.accessor('isConfigurable', { header: 'Configurable', meta: { width: 60 }, cell: ({ getValue }) => (getValue() ? 'Yes' : no) }),
  column.accessor('updatedOn', { header: 'Updated', meta: { width: 80 }, cell: ({ getValue }) => formatDay(getValue()) }),
  column.display({
    id: 'actions',
    header: 'Actions',
    meta: { numeric: true, record: 'action', width: 60 },
    cell: ({ row: { original: product } }) => (
      <ButtonLink small icon={Pencil} to={`?edit=${product.productId}`} aria-label={`Edit ${product.title}`}>
        Edit
      </ButtonLink>
    ),
  }),
])
