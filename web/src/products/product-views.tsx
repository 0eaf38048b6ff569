import './product-views.css'
import { configurationNames, type Product, readerModels } from '@lectern/contract/products.ts'
import { useQuery } from '@tanstack/react-query'
import { ScanBarcode } from 'lucide-react'
import { use, useId, useState } from 'react'
import { SettingsGuide } from '../barcode-settings/settings-guide.tsx'
import { ModelInFleet } from '../devices/model-in-fleet.tsx'
import { ActiveOrganizationContext } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { useScreens } from '../lib/screens.ts'
import { paths, patterns } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { type Query, QueryStates } from '../ui/feedback/query-states.tsx'
import { Segment } from '../ui/input/segment.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { ProductGrid } from './product-card.tsx'
import { ProductHelp } from './product-help.tsx'
import { ProductPicture } from './product-picture.tsx'

type View = 'details' | 'help'

const views = [
  { value: 'details', label: 'Details' },
  { value: 'help', label: 'Help' },
] as const

interface ProductViewsProps {
  id: number
  query: Query<Product>
}

/** What needs only the product's id is read beside the product. */
export function ProductViews({ id, query }: ProductViewsProps) {
  const [view, setView] = useState<View>('details')
  const products = useQuery(q('listProducts', {}))
  const device = configurationNames[id]
  const model = readerModels[id]
  const organizationId = use(ActiveOrganizationContext)
  const inFleet = model !== undefined && organizationId !== null && <ModelInFleet organizationId={organizationId} model={model} />
  return (
    <>
      <Segment label="View" choices={views} value={view} onChange={setView} />
      <div className="product-views">
        <div className="grid min-w-0 gap-4">
          <QueryStates query={query} failed="Error loading the product">
            {(product) =>
              view === 'details' ? (
                <>
                  <Description product={product} />
                  <OtherProducts product={product} products={products.data} />
                </>
              ) : (
                <ProductHelp product={product} />
              )
            }
          </QueryStates>
        </div>
        {(device !== undefined || inFleet) && (
          <aside aria-label="Using this product" className="grid content-start gap-4">
            {device !== undefined && <Configuration device={device} />}
            {inFleet}
            {device !== undefined && <SettingsGuide productId={id} device={device} />}
          </aside>
        )}
      </div>
    </>
  )
}

function Configuration({ device }: { device: string }) {
  const hasDesk = useScreens()(patterns.setUpReader) !== null
  return (
    <Panel title="Configuration">
      <div className="grid gap-3">
        <p className="text-ink-2">Choose options for {device} and print them as one setup barcode. No host PC needed.</p>
        <ButtonLink to={paths.builder({ device })} variant="primary" icon={ScanBarcode} className="w-full">
          Create a configuration
        </ButtonLink>
        {hasDesk && (
          <ButtonLink to={paths.setUpReader()} icon={ScanBarcode} className="w-full">
            Set up a reader
          </ButtonLink>
        )}
      </div>
    </Panel>
  )
}

function Description({ product }: { product: Product }) {
  const { title, short, description, productType, isConfigurable, isDiscontinued } = product
  const [first, ...rest] = description.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '')
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <section className="panel product-description" aria-label={title}>
      <ProductPicture product={product} width={340} weight="large" />
      <div className="product-description-text">
        <div className="flex flex-wrap gap-2">
          <Badge>{productType}</Badge>
          {isConfigurable && <Badge kind="accent">Barcode configurable</Badge>}
          {isDiscontinued && <Badge kind="warn">Discontinued</Badge>}
        </div>
        <h1>{title}</h1>
        <p className="product-short">{short}</p>
        <div className="grid gap-2.5" id={id}>
          {first !== undefined && <p>{first}</p>}
          {isOpen && rest.map((paragraph, index) => <p key={index}>{paragraph}</p>)}
        </div>
        {rest.length > 0 && (
          <Button variant="link" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'See Less' : 'See More'}
          </Button>
        )}
      </div>
    </section>
  )
}

const mostOthers = 3

interface OtherProductsProps {
  product: Product
  products: readonly Product[] | undefined
}

/** Other products of the user's group, those of the same type first. Null where there are none, or they do not load. */
function OtherProducts({ product, products }: OtherProductsProps) {
  const person = useQuery(q('getCurrentUser', {}))
  const group = person.data?.group
  if (!group || !products) return null
  const isOfSameType = ({ productType }: Product) => productType === product.productType
  const others = products
    .filter(({ productId }) => productId !== product.productId && group.products.includes(productId))
    .sort((one, other) => +one.isDiscontinued - +other.isDiscontinued || +isOfSameType(other) - +isOfSameType(one))
    .slice(0, mostOthers)
  if (others.length === 0) return null
  return (
    <section aria-labelledby="other-products">
      <h2 className="heading-3 mb-2.5" id="other-products">
        {group.products.includes(product.productId) ? 'Also in' : 'In'} {group.name}
      </h2>
      <ProductGrid products={others} compact />
    </section>
  )
}
