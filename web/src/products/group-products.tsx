import { GroupProducts } from '@lectern/contract/groups.ts'
import type { Product } from '@lectern/contract/products.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import type { CurrentUser } from '@lectern/contract/users.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Controller, useFormContext } from 'react-hook-form'
import { q, useMutation } from '../lib/api/query.ts'
import { type ContractForm, useContractForm } from '../lib/form/contract-form.ts'
import { useEdit } from '../lib/form/edit.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { useBoundField } from '../ui/form/bound-form.tsx'
import { FieldError } from '../ui/form/field.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { Checkbox } from '../ui/input/checkbox.tsx'
import { listByType } from './product-order.ts'

export type Group = NonNullable<CurrentUser['group']>

interface GroupProductsOptions {
  group: Group | undefined
  productIds: number[]
  draft: string
  keepsDraft?: boolean
  onSaved?: (productIds: number[]) => void
}

interface GroupProductsFormProps extends GroupProductsOptions {
  children: (bound: ContractForm<GroupProducts>) => ReactNode
}

/** A form over a group's products. It saves only products that the catalogue has. */
export const GroupProductsForm = ({ children, ...options }: GroupProductsFormProps) => children(useGroupProducts(options))

function useGroupProducts({ group, productIds, draft, keepsDraft, onSaved }: GroupProductsOptions) {
  const { data: products } = useQuery(q('listProducts', {}))
  const { mutateAsync } = useMutation('setGroupProducts', { awaitReads: true, errorInPlace: true })
  const params = { id: group?.gid ?? 0 }
  const toInput = (values: GroupProducts): GroupProducts => ({
    productIds: values.productIds.filter((id) => products?.some(({ productId }) => productId === id)),
  })
  return useContractForm({
    schema: GroupProducts,
    values: { productIds },
    toInput,
    toValues: (newest: { products: number[] }) => ({ productIds: newest.products }),
    draft,
    keepsDraft,
    edit: useEdit(group && { products: group.products }, q('getGroup', { params })),
    save: (values, basedOn) => mutateAsync({ params, body: toInput(values), basedOn }),
    onSaved: (_, values) => onSaved?.(toInput(values).productIds),
  })
}

/** Edits the products of the user's group (spec §2). Products without a checkbox stay. */
export function EditProductList({ group, close }: { group: Group; close: Close<void> }) {
  const toast = useToast()
  const bound = useGroupProducts({
    group,
    productIds: group.products,
    draft: 'product-list',
    onSaved(productIds) {
      toast({ title: 'Product list saved', detail: counted(productIds.length, 'product') })
      close()
    },
  })
  return (
    <FormDialog
      title="Edit Product List"
      bound={bound}
      noun="list"
      submit={['Save Changes', 'Saving Changes']}
      disabled={!bound.form.formState.isValid}
      close={close}
    >
      <ProductsField />
    </FormDialog>
  )
}

export function ProductsField() {
  const name = 'productIds'
  const { control } = useFormContext<GroupProducts>()
  const { error } = useBoundField(name)
  const query = useQuery(q('listProducts', {}))
  return (
    <>
      <QueryStates query={query} failed={({ message }) => message}>
        {(products) => (
          <Controller
            control={control}
            name={name}
            render={({ field: { value, onChange } }) => <Columns products={products} selected={value} onChange={onChange} />}
          />
        )}
      </QueryStates>
      {error && (
        <div role="alert">
          <FieldError>{error}</FieldError>
        </div>
      )}
    </>
  )
}

interface ColumnsProps {
  products: readonly Product[]
  selected: readonly number[]
  onChange: (ids: number[]) => void
}

function Columns({ products, selected, onChange }: ColumnsProps) {
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
            {listByType(products, type).map(({ productId, title, isDiscontinued }) => (
              <li key={productId}>
                <Checkbox checked={selected.includes(productId)} onChange={(event) => tick(productId, event.target.checked)}>
                  {title}
                  {isDiscontinued && <small className="block text-12 text-ink-3">Discontinued</small>}
                </Checkbox>
              </li>
            ))}
          </ul>
          {listByType(products, type).length === 0 && <p className="text-13 text-ink-3">None in the catalogue.</p>}
        </fieldset>
      ))}
    </div>
  )
}
