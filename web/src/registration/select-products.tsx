import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q, useMutation } from '../lib/api/query.ts'
import { useDraft } from '../lib/form/draft.ts'
import { useEdit } from '../lib/form/edit.ts'
import { ProductSelector } from '../products/product-selector.tsx'
import { Button } from '../ui/button/button.tsx'
import { ChangedMeanwhile } from '../ui/form/changed-meanwhile.tsx'
import { FieldError } from '../ui/form/field.tsx'
import { Step } from './step.tsx'

/** The products of the person's group (spec §2). */
export function SelectProducts() {
  const draft = useDraft<{ products: number[] }>('products')
  const [selected, setSelected] = useState<readonly number[]>(draft.kept.products ?? [])
  const [refusal, setRefusal] = useState<string>()
  const person = useQuery(q('getCurrentUser', {}))
  const save = useMutation('setGroupProducts', { awaitReads: true, errorInPlace: true })
  const [saving, setSaving] = useState(false)
  const group = person.data?.group
  const edit = useEdit(group && { products: group.products }, q('getGroup', { params: { id: group?.gid ?? 0 } }))

  function select(products: number[]) {
    setSelected(products)
    setRefusal(undefined)
    draft.keep({ products })
  }

  async function saveOver(basedOn = edit.basis) {
    if (saving) return
    if (selected.length === 0) return setRefusal('No products selected')
    if (!group) return
    setSaving(true)
    try {
      await save.mutateAsync({ params: { id: group.gid }, body: { productIds: [...selected] }, basedOn })
      draft.drop()
    } catch (error) {
      if (!edit.fail(error)) setRefusal((error as Error).message)
    } finally {
      setSaving(false)
    }
  }

  return (
    <Step
      task="SelectProducts"
      intro={group ? `What ${group.name} works with. You can change it later.` : 'What your group works with. You can change it later.'}
      saving={saving}
      failure={person.error && !person.data ? person.error.message : undefined}
      onSubmit={(event) => {
        event.preventDefault()
        void saveOver()
      }}
      action={
        <Button variant="primary" type="submit" disabled={selected.length === 0 || !group} busy={saving} busyLabel="Saving">
          Next
        </Button>
      }
    >
      <ProductSelector selected={selected} onChange={select} />
      {edit.isOutdated && (
        <ChangedMeanwhile
          what="list"
          onLoad={async () => select((await edit.restart()).products)}
          onSaveAnyway={async () => saveOver(await edit.renew())}
        />
      )}
      {refusal && <FieldError>{refusal}</FieldError>}
    </Step>
  )
}
