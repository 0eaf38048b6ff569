import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import { ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Checkbox } from '../ui/input/checkbox.tsx'
import { productsOfType } from './product-order.ts'

type ProductSelectorProps = {
  /** Product ids. Those that have no checkbox here are kept as they are. */
  selected: readonly number[]
  onChange: (ids: number[]) => void
  disabled?: boolean
}

/** The columns Hardware and Software with a checkbox for each product of that type (spec §2). */
export function ProductSelector({ selected, onChange, disabled }: ProductSelectorProps) {
  const products = useQuery(q('listProducts', {}))
  if (products.isError) return <ErrorPanel message={products.error.message} onRetry={products.refetch} retrying={products.isFetching} />
  if (!products.data) return <p role="status">Loading...</p>

  function tick(id: number, ticked: boolean) {
    const others = selected.filter((each) => each !== id)
    onChange(ticked ? [...others, id] : others)
  }

  return (
    <div className="grid grid-cols-2 items-start gap-4 text-ink">
      {(['Hardware', 'Software'] as const).map((type) => (
        <fieldset key={type} className="min-w-0">
          <legend className="mb-2 text-13 font-medium">{type}</legend>
          <ul className="grid gap-2 max-sm:gap-0">
            {productsOfType(products.data, type).map(({ productId, title, isDiscontinued }) => (
              <li key={productId}>
                <Checkbox
                  checked={selected.includes(productId)}
                  disabled={disabled}
                  onChange={(event) => tick(productId, event.target.checked)}
                >
                  {title}
                  {isDiscontinued && <small className="block text-12 text-ink-3">Discontinued</small>}
                </Checkbox>
              </li>
            ))}
          </ul>
          {productsOfType(products.data, type).length === 0 && <p className="text-13 text-ink-3">None in the catalogue.</p>}
        </fieldset>
      ))}
    </div>
  )
}
