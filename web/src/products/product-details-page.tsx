import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { CallError } from '../lib/api/call-error.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { formatDay } from '../lib/format.ts'
import { paths } from '../paths.ts'
import { NotFound } from '../ui/feedback/not-found.tsx'
import { Page } from '../ui/layout/page.tsx'
import { BackStrip } from '../ui/layout/strip.tsx'
import { ProductViews } from './product-views.tsx'

export default function ProductDetailsPage() {
  const id = parseId(useParams().productId)
  const query = useQuery({ ...q('getProduct', { params: { id: id ?? 0 } }), enabled: id !== null })
  const { data, error } = query
  const isMissing = id === null || (!data && error instanceof CallError && error.status === 404)
  useDocumentTitle(data?.title ?? (isMissing ? 'Product not found' : 'Product'))
  return (
    <>
      <BackStrip to={paths.products()} label="All Products" end={data && `Updated ${formatDay(data.updatedOn)}`} />
      <Page>
        {isMissing ? (
          <NotFound title="Product not found" to={paths.products()} back="Show all products">
            The catalogue has no such product. The link may have been cut short.
          </NotFound>
        ) : (
          <ProductViews key={id} id={id} query={query} />
        )}
      </Page>
    </>
  )
}

/** Reads a product id from an address; null where it cannot be one. */
function parseId(text = ''): number | null {
  const number = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0
  return number >= 1 && number <= 2_147_483_647 ? number : null
}
