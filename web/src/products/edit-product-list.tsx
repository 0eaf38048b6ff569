import { counted } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q, useMutation } from '../lib/api/query.ts'
import { useEdit } from '../lib/form/edit.ts'
import { Button } from '../ui/button/button.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { DialogPanel } from '../ui/dialog/dialog-panel.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { ChangedMeanwhile } from '../ui/form/changed-meanwhile.tsx'
import { FieldError } from '../ui/form/field.tsx'
import { ProductSelector } from './product-selector.tsx'

/** The products of the person's group, to be ticked (spec §2). Products without a checkbox stay; those that are gone from the catalogue do not. */
export function EditProductList({ close }: { close: Close<void> }) {
  const person = useQuery(q('getCurrentUser', {}))
  const products = useQuery(q('listProducts', {}))
  const [ticked, setTicked] = useState<readonly number[]>()
  const [refusal, setRefusal] = useState<string>()
  const toast = useToast()
  const save = useMutation('setGroupProducts', {
    errorInPlace: true,
  })
  const group = person.data?.group
  const edit = useEdit(group && { products: group.products }, q('getGroup', { params: { id: group?.gid ?? 0 } }))
  const selected = ticked ?? edit.basis?.products ?? []
  const productIds = selected.filter((id) => products.data?.some(({ productId }) => productId === id))

  async function saveOver(basedOn = edit.basis) {
    if (save.isPending || !group || !products.data) return
    if (productIds.length === 0) return setRefusal('No products selected')
    setRefusal(undefined)
    try {
      await save.mutateAsync({ params: { id: group.gid }, body: { productIds }, basedOn })
      toast({ title: 'Product list saved', detail: counted(productIds.length, 'product') })
      close()
    } catch (error) {
      if (!edit.fail(error)) setRefusal((error as Error).message)
    }
  }

  return (
    <DialogPanel
      title="Edit Product List"
      saving={save.isPending}
      onSubmit={() => saveOver()}
      actions={
        <>
          <Button variant="ghost" disabled={save.isPending} onClick={() => close()}>
            Cancel
          </Button>
          <Button
            variant="primary"
            type="submit"
            disabled={productIds.length === 0 || !group}
            busy={save.isPending}
            busyLabel="Saving Changes"
          >
            Save Changes
          </Button>
        </>
      }
    >
      <ProductSelector
        selected={selected}
        disabled={save.isPending || !group}
        onChange={(ids) => {
          setTicked(ids)
          setRefusal(undefined)
        }}
      />
      {person.isError && !person.data && <Notice kind="bad">{person.error.message}</Notice>}
      {edit.isOutdated && (
        <ChangedMeanwhile
          what="list"
          className="mt-4"
          onLoad={async () => setTicked((await edit.restart()).products)}
          onSaveAnyway={async () => saveOver(await edit.renew())}
        />
      )}
      {refusal && (
        <div role="alert" className="mt-3">
          <FieldError>{refusal}</FieldError>
        </div>
      )}
    </DialogPanel>
  )
}
