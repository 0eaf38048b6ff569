import type { Product } from '@lectern/contract/products.ts'
import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus } from 'lucide-react'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useEdited } from '../lib/edited.ts'
import { formatDay } from '../lib/format.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { NotFound } from '../ui/feedback/not-found.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { BackStrip } from '../ui/layout/strip.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { QueryTable } from '../ui/table/query-table.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'

const ProductForm = lazyPart(async () => (await import('./product-form.tsx')).ProductForm)

export default function CataloguePage() {
  useDocumentTitle('Product catalogue')
  const query = useQuery(q('listProducts', {}))
  const { edited, isNew, record } = useEdited(query.data, ({ productId }) => productId)

  if (edited !== null && query.data)
    return (
      <>
        <BackStrip to={paths.catalogue()} label="Product catalogue" />
        {isNew || record ? <ProductForm key={edited} product={record} /> : <NoSuchProduct />}
      </>
    )
  return (
    <Page>
      <PageHead
        title="Product catalogue"
        intro="Every product that customers can choose for their groups."
        actions={<ButtonLink to="?edit=new" variant="primary" icon={Plus} children="New product" />}
      />
      <Panel flush aria-label="Products">
        <QueryTable
          label="Product table"
          query={query}
          columns={columns}
          rows={(products) => products}
          rowId={({ productId }) => String(productId)}
          failed="Error loading products"
          empty={
            <EmptyState action={<ButtonLink to="?edit=new" variant="link" children="Add the first one" />}>No products yet.</EmptyState>
          }
        />
      </Panel>
    </Page>
  )
}

const NoSuchProduct = () => (
  <Page>
    <NotFound title="Product not found" to={paths.catalogue()} back="Product catalogue">
      There is no such product.
    </NotFound>
  </Page>
)

const column = columnHelper<Product>()
const no = <span className="text-ink-3">No</span>

const columns = column.columns([
  column.accessor('productId', { header: 'ID', meta: { className: 'text-ink-2', width: 24, from: 'medium' } }),
  column.accessor('title', {
    header: 'Title',
    meta: { className: 'table-main whitespace-normal wrap-anywhere max-sm:col-span-full', record: 'title', width: 160 },
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
  column.accessor('updatedOn', { header: 'Updated', meta: { width: 80, from: 'medium' }, cell: ({ getValue }) => formatDay(getValue()) }),
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
