import { configurationNames, type Product, readerModels } from '@lectern/contract/products.ts'
import { ScanBarcode } from 'lucide-react'
import { use, useState } from 'react'
import { SettingsGuide } from '../barcode-settings/settings-guide.tsx'
import { ModelInFleet } from '../devices/model-in-fleet.tsx'
import { ActiveOrganizationContext } from '../lib/active-organization.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Segment } from '../ui/input/segment.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { OtherProducts } from './other-products.tsx'
import { ProductDescription } from './product-description.tsx'
import { ProductHelp } from './product-help.tsx'
import './product-views.css'

type View = 'details' | 'help'

const views = [
  { value: 'details', label: 'Details' },
  { value: 'help', label: 'Help' },
] as const

/** A product's details or its help, and beside either what can be done with it. */
export function ProductViews({ product }: { product: Product }) {
  const [view, setView] = useState<View>('details')
  const device = configurationNames[product.productId]
  const model = readerModels[product.productId]
  const organizationId = use(ActiveOrganizationContext)
  const inFleet = model !== undefined && organizationId !== null && <ModelInFleet organizationId={organizationId} model={model} />
  return (
    <>
      <Segment label="View" choices={views} value={view} onChange={setView} />
      <div className="product-views">
        <div className="grid min-w-0 gap-4">
          {view === 'details' ? (
            <>
              <ProductDescription product={product} />
              <OtherProducts product={product} />
            </>
          ) : (
            <ProductHelp product={product} />
          )}
        </div>
        {(device !== undefined || inFleet) && (
          <aside aria-label="Using this product" className="grid content-start gap-4">
            {device !== undefined && <Configuration device={device} />}
            {inFleet}
            {device !== undefined && <SettingsGuide productId={product.productId} device={device} />}
          </aside>
        )}
      </div>
    </>
  )
}

const Configuration = ({ device }: { device: string }) => (
  <Panel title="Configuration">
    <div className="grid gap-3">
      <p className="text-ink-2">Choose options for {device} and print them as one setup barcode. No host PC needed.</p>
      <ButtonLink to={paths.builder({ device })} variant="primary" icon={ScanBarcode} className="w-full">
        Create a configuration
      </ButtonLink>
    </div>
  </Panel>
)
