import { type Product, ProductInput, ProductType } from '@lectern/contract/products.ts'
import { useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { q, useMutation } from '../lib/api/query.ts'
import { trimTexts, useContractForm } from '../lib/form/contract-form.ts'
import { useEdit } from '../lib/form/edit.ts'
import { formatDay } from '../lib/format.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { BoundFields } from '../ui/form/bound-form.tsx'
import { CheckboxField, RadioField } from '../ui/form/choice-fields.tsx'
import { FormShell } from '../ui/form/form-shell.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { ActionFoot } from '../ui/layout/action-foot.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { ProductFormList } from './product-form-list.tsx'
import { ProductPicture } from './product-picture.tsx'

interface Values extends Omit<ProductInput, 'productImage'> {
  productImage: string
}

const empty: Values = {
  title: '',
  short: '',
  description: '',
  productType: 'Hardware',
  productImage: '',
  faq: [],
  documents: [],
  isDiscontinued: false,
  isConfigurable: false,
}

const toValues = ({ productId, createdOn, updatedOn, productImage, ...product }: Product): Values => ({
  ...product,
  productImage: productImage ?? '',
})

const toInput = ({ productImage, ...values }: Values): ProductInput => ({
  ...trimTexts(values),
  productImage: productImage.trim() || null,
})

const types = ProductType.options.map((type) => ({ value: type, label: type }))

// Reads again first: otherwise the form could open with what the list had before.
const options = { awaitReads: true, errorInPlace: true } as const

export function ProductForm({ product }: { product: Product | undefined }) {
  const navigate = useNavigate()
  const toast = useToast()
  const create = useMutation('createProduct', options)
  const update = useMutation('updateProduct', options)
  const bound = useContractForm({
    schema: ProductInput,
    values: product ? toValues(product) : empty,
    toInput,
    toValues,
    draft: `product/${product?.productId ?? 'new'}`,
    edit: useEdit(product, q('getProduct', { params: { id: product?.productId ?? 0 } })),
    save: (values, basedOn) =>
      product
        ? update.mutateAsync({ params: { id: product.productId }, body: toInput(values), basedOn })
        : create.mutateAsync({ body: toInput(values) }),
    async onSaved({ title }) {
      toast({ title: product ? 'Product saved' : 'Product added', detail: title })
      await navigate(paths.catalogue())
    },
  })
  const { isDirty } = bound.form.formState

  return (
    <FormShell bound={bound} submit={product ? ['Save', 'Saving'] : ['Add product', 'Adding']} className="contents">
      {(submit) => (
        <>
          <Page>
            <PageHead title={product ? product.title : 'New product'} intro="Customers see it on Products." />
            <BoundFields bound={bound} noun="product" className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
              <Fields />
              <Aside product={product} />
            </BoundFields>
          </Page>
          <ActionFoot
            back={<ButtonLink to={paths.catalogue()} variant="ghost" children="Cancel" />}
            summary={isDirty ? 'Not saved yet' : undefined}
          >
            {submit}
          </ActionFoot>
        </>
      )}
    </FormShell>
  )
}

const Fields = () => (
  <div className="grid min-w-0 gap-4">
    <Panel title="Product">
      <div className="grid max-w-160 gap-5">
        <TextField name="title" counted />
        <TextField name="short" counted />
        <TextField name="description" lines={8} counted />
        <RadioField name="productType" options={types} />
        <TextField name="productImage" type="url" inputMode="url" placeholder="https://" />
        <div className="grid gap-2">
          <CheckboxField name="isConfigurable" />
          <CheckboxField name="isDiscontinued" />
        </div>
      </div>
    </Panel>
    <ProductFormList name="faq" title="Questions and answers" noun="question" empty={{ question: '', answer: '' }}>
      {(entry) => (
        <>
          <TextField name={`${entry}.question`} />
          <TextField name={`${entry}.answer`} lines={3} counted />
        </>
      )}
    </ProductFormList>
    <ProductFormList name="documents" title="Documents" noun="document" empty={{ title: '', url: '' }}>
      {(entry) => (
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField name={`${entry}.title`} />
          <TextField name={`${entry}.url`} type="url" inputMode="url" placeholder="https://" />
        </div>
      )}
    </ProductFormList>
  </div>
)

function Aside({ product }: { product: Product | undefined }) {
  const [title, productType, productImage] = useWatch<Values, ['title', 'productType', 'productImage']>({
    name: ['title', 'productType', 'productImage'],
  })
  return (
    <Panel title="Picture">
      <ProductPicture product={{ title, productType, productImage: productImage.trim() || null }} width={148} />
      {product && (
        <div className="mt-4">
          <DefinitionList
            left
            items={[
              ['Product ID', product.productId],
              ['Added', formatDay(product.createdOn)],
              ['Updated', formatDay(product.updatedOn)],
            ]}
          />
        </div>
      )}
    </Panel>
  )
}
