import type { Product } from '@lectern/contract/products.ts'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { EmptyState, ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { NotFound } from '../ui/feedback/not-found.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { BackStrip } from '../ui/layout/strip.tsx'
import { Table } from '../ui/table/table.tsx'
import { catalogueColumns } from './catalogue-columns.tsx'
import { ProductForm } from './product-form.tsx'

const list = paths.catalogue()

/** `/admin/products`: the vendor's staff edit the catalogue. `?edit=` shows the form in its place: for a product by its id, or `new`. */
export default function CataloguePage() {
  useDocumentTitle('Product catalogue')
  const [address] = useSearchParams()
  const edited = address.get('edit')
  const { data, isError, isFetching, refetch } = useQuery(q('listProducts', {}))

  if (edited !== null && data)
    return (
      <>
        <BackStrip to={list} label="Product catalogue" />
        <Editor key={edited} edited={edited} products={data} />
      </>
    )
  return (
    <Page>
      <PageHead
        title="Product catalogue"
        intro="Every product that customers can choose for their groups."
        actions={
          <ButtonLink to="?edit=new" variant="primary" icon={Plus}>
            New product
          </ButtonLink>
        }
      />
      <Panel flush aria-label="Products">
        {data ? (
          <Table
            label="Product table"
            columns={catalogueColumns}
            rows={data}
            rowId={(product) => String(product.productId)}
            empty={
              <EmptyState action={<ButtonLink to="?edit=new" variant="link" children="Add the first one" />}>No products yet.</EmptyState>
            }
          />
        ) : isError ? (
          <ErrorPanel message="Error loading products" onRetry={refetch} retrying={isFetching} />
        ) : (
          <p className="p-4" role="status">
            Loading...
          </p>
        )}
      </Panel>
    </Page>
  )
}

function Editor({ edited, products }: { edited: string; products: readonly Product[] }) {
  const found = products.find(({ productId }) => String(productId) === edited)
  // Once found it stays: what somebody types here must not change under their hands.
  const [product, setProduct] = useState(found)
  if (found && !product) setProduct(found)
  if (edited === 'new') return <ProductForm />
  if (product) return <ProductForm product={product} />
  return (
    <Page>
      <NotFound title="Product not found" to={list} back="Product catalogue">
        There is no such product.
      </NotFound>
    </Page>
  )
}
