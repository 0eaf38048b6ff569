import { type Product, ProductInput } from '@lectern/contract/products.ts'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { q, useMutation } from '../lib/api/query.ts'
import { useEdit } from '../lib/form/edit.ts'
import { placeProblem, schemaResolver } from '../lib/form/form-problems.ts'
import { formatDay } from '../lib/format.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { useLeaveGuard } from '../ui/dialog/leave-guard.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { ChangedMeanwhile } from '../ui/form/changed-meanwhile.tsx'
import { ActionFoot } from '../ui/layout/action-foot.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { ProductFormFields } from './product-form-fields.tsx'
import { ProductFormDocuments, ProductFormFaq } from './product-form-lists.tsx'
import { newProduct, type ProductValues, productInput, toValues } from './product-form-values.ts'
import { ProductPicture } from './product-picture.tsx'

const list = paths.catalogue()

// Read again first, or the form could open with what the list held before.
const options = { awaitReads: true, errorInPlace: true } as const

/** Adds a product to the catalogue, or changes one. */
export function ProductForm({ product }: { product?: Product }) {
  const navigate = useNavigate()
  const toast = useToast()
  const [failure, setFailure] = useState<string>()
  const form = useForm<ProductValues>({
    mode: 'onTouched',
    resolver: schemaResolver<ProductValues>(ProductInput, productInput),
    defaultValues: product ? toValues(product) : newProduct,
  })
  const { isDirty, isSubmitting } = form.formState
  const edit = useEdit(product, q('getProduct', { params: { id: product?.productId ?? 0 } }))
  const letPass = useLeaveGuard({ isActive: isDirty, title: 'Leave without saving?', question: 'Your changes are not saved.', query: true })
  const create = useMutation('createProduct', options)
  const update = useMutation('updateProduct', options)

  const saveOver = (basedOn: Product | undefined) =>
    form.handleSubmit(async (values) => {
      setFailure(undefined)
      const body = productInput(values)
      try {
        if (product) await update.mutateAsync({ params: { id: product.productId }, body, basedOn })
        else await create.mutateAsync({ body })
      } catch (error) {
        if (!edit.fail(error)) setFailure(placeProblem(error, form))
        return
      }
      toast({ title: product ? 'Product saved' : 'Product added', detail: body.title })
      letPass()
      await navigate(list)
    })

  return (
    <form noValidate onSubmit={saveOver(edit.basis)} className="contents">
      <Page>
        <PageHead title={product ? product.title : 'New product'} intro="Customers see it on Products." />
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="grid min-w-0 gap-4">
            <ProductFormFields form={form} />
            <ProductFormFaq form={form} />
            <ProductFormDocuments form={form} />
            {edit.isOutdated && (
              <ChangedMeanwhile
                what="product"
                onLoad={async () => form.reset(toValues(await edit.restart()))}
                onSaveAnyway={async () => saveOver(await edit.renew())()}
              />
            )}
            {failure && <Notice kind="bad">{failure}</Notice>}
          </div>
          <Panel title="Picture">
            <Picture form={form} />
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
        </div>
      </Page>
      <ActionFoot
        back={
          <ButtonLink to={list} variant="ghost">
            Cancel
          </ButtonLink>
        }
        summary={isDirty ? 'Not saved yet' : undefined}
      >
        <Button variant="primary" type="submit" busy={isSubmitting} busyLabel={product ? 'Saving' : 'Adding'}>
          {product ? 'Save' : 'Add product'}
        </Button>
      </ActionFoot>
    </form>
  )
}

function Picture({ form }: { form: { control: ReturnType<typeof useForm<ProductValues>>['control'] } }) {
  const [title, productType, productImage] = useWatch({ control: form.control, name: ['title', 'productType', 'productImage'] })
  return <ProductPicture product={{ title, productType, productImage: productImage.trim() || null }} width={148} />
}
