import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import { GroupProductsForm, ProductsField } from '../products/group-products.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { FormStep } from './step.tsx'

export function SelectProducts() {
  const person = useQuery(q('getCurrentUser', {}))
  const group = person.data?.group ?? undefined
  return (
    <GroupProductsForm group={group} productIds={[]} draft="products">
      {(bound) => (
        <FormStep
          task="SelectProducts"
          intro={`What ${group ? group.name : 'your group'} works with. You can change it later.`}
          bound={bound}
          noun="list"
          submit={['Next', 'Saving']}
          disabled={!group}
        >
          <ProductsField />
          {person.error && !person.data && <Notice kind="bad">{person.error.message}</Notice>}
        </FormStep>
      )}
    </GroupProductsForm>
  )
}
