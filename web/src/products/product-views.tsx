import { configurationNames, type Product } from '@lectern/contract/products.ts'
import { ScanBarcode } from 'lucide-react'
import { useState } from 'react'
import { SettingsGuide } from '../barcode-settings/settings-guide.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { Panel } from '../ui/panel.tsx'
import { Segment } from '../ui/segment.tsx'
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
        {device !== undefined && (
          <aside aria-label="Configuration" className="grid content-start gap-4">
            <Panel title="Configuration">
              <div className="grid gap-3">
                <p className="text-ink-2">Choose options for {device} and print them as one setup barcode. No host PC needed.</p>
                <ButtonLink
                  to={`/codedm/create-configuration/${encodeURIComponent(device)}`}
                  variant="primary"
                  icon={ScanBarcode}
                  className="w-full"
                >
                  Create a configuration
                </ButtonLink>
              </div>
            </Panel>
            <SettingsGuide productId={product.productId} device={device} />
          </aside>
        )}
      </div>
    </>
  )
}
