import { productListPermissions } from '@lectern/contract/http/product-list.ts'
import type { Product } from '@lectern/contract/products.ts'
import { useQuery } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { AdStrip } from '../ads/ad-card.tsx'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useScreens } from '../lib/screens.ts'
import { useIsLimited, useOneOfPermissions } from '../lib/session.ts'
import { paths, patterns } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { useQueryProblem } from '../ui/feedback/query-states.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import type { Group } from './group-products.tsx'
import { ProductGrid, ProductGridSkeleton } from './product-card.tsx'
import { listByType, productTypes } from './product-order.ts'

export default function ProductListPage() {
  const person = useQuery(q('getCurrentUser', {}))
  const products = useQuery(q('listProducts', {}))
  const group = person.data?.group
  const both = {
    data: person.data && products.data,
    dataUpdatedAt: Math.min(person.dataUpdatedAt, products.dataUpdatedAt),
    error: person.error ?? products.error,
    isFetching: person.isFetching || products.isFetching,
    isPlaceholderData: false,
    refetch: () => Promise.all([person.refetch(), products.refetch()]),
  }
  const problem = useQueryProblem(both, 'Error loading products')

  return (
    <Page>
      {group === null ? <CatalogueHead /> : <GroupHead group={group} />}
      {problem && (
        <Panel flush aria-label="Products" className="mb-6">
          {problem}
        </Panel>
      )}
      {person.data && products.data ? (
        <ProductSections products={products.data} group={person.data.group} />
      ) : (
        !problem && <ProductGridSkeleton />
      )}
      <AdStrip />
    </Page>
  )
}

function GroupHead({ group }: { group: Group | undefined }) {
  const title = group?.name || 'My Products'
  useDocumentTitle(title)
  const edit = useEditor(group)
  const isLimited = useIsLimited()
  const mayChoose = useMayChoose()
  return (
    <PageHead
      title={title}
      intro="Products chosen for your group. Open one for documents, answers and setup barcodes."
      actions={
        !isLimited && (
          <>
            <ButtonLink to={paths.group()} variant="ghost">
              Members
            </ButtonLink>
            {mayChoose && (
              <Button icon={ListChecks} disabled={!group} onClick={edit}>
                Edit Product List
              </Button>
            )}
          </>
        )
      }
    />
  )
}

function CatalogueHead() {
  useDocumentTitle('All products')
  const canEdit = useScreens()(patterns.catalogue) !== null
  return (
    <PageHead
      title="All products"
      intro="Every product of the catalogue. Customers see those chosen for their group."
      actions={canEdit && <ButtonLink to={paths.catalogue()}>Product catalogue</ButtonLink>}
    />
  )
}

function ProductSections({ products, group }: { products: readonly Product[]; group: Group | null }) {
  const shown = group ? products.filter(({ productId }) => group.products.includes(productId)) : products
  if (shown.length === 0) return <NoProducts group={group} />
  return productTypes.map((type) => {
    const ofType = listByType(shown, type)
    return (
      ofType.length > 0 && (
        <section key={type} className="mb-6" aria-labelledby={`products-${type}`}>
          <h2 className="heading-3 mb-2.5" id={`products-${type}`}>
            {type} <span className="text-ink-3">{ofType.length}</span>
          </h2>
          <ProductGrid products={ofType} compact={type !== 'Hardware'} />
        </section>
      )
    )
  })
}

function NoProducts({ group }: { group: Group | null }) {
  const edit = useEditor(group)
  const mayChoose = useMayChoose()
  return (
    <Panel flush aria-label="Products">
      {group ? (
        <EmptyState
          action={
            mayChoose && (
              <Button variant="link" onClick={edit}>
                Choose products
              </Button>
            )
          }
        >
          No products chosen yet.
        </EmptyState>
      ) : (
        <EmptyState>The catalogue has no products.</EmptyState>
      )}
    </Panel>
  )
}

function useMayChoose(): boolean {
  const isLimited = useIsLimited()
  return useOneOfPermissions(...productListPermissions) && !isLimited
}

function useEditor(group: Group | null | undefined) {
  const { open } = useDialog()
  return () =>
    group &&
    void open<void>(async (close) => {
      const { EditProductList } = await import('./group-products.tsx')
      return <EditProductList group={group} close={close} />
    })
}
