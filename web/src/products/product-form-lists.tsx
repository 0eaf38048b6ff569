import { type UseFormReturn, useFieldArray } from 'react-hook-form'
import { aboutField } from '../lib/form/form-problems.ts'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/input/input.tsx'
import { Textarea } from '../ui/input/textarea.tsx'
import { ProductFormEntries } from './product-form-entries.tsx'
import type { ProductValues } from './product-form-values.ts'

type ListProps = { form: UseFormReturn<ProductValues> }

/** The questions and answers of a product's Help view. */
export function ProductFormFaq({ form: { control, register, formState } }: ListProps) {
  const { fields, append, remove, move } = useFieldArray({ control, name: 'faq' })
  const errors = formState.errors.faq
  return (
    <ProductFormEntries
      title="Questions and answers"
      noun="question"
      keys={fields.map(({ id }) => id)}
      onAdd={() => append({ question: '', answer: '' })}
      onRemove={remove}
      onMove={move}
    >
      {(index) => (
        <>
          <Field label="Question" required error={aboutField('Question', errors?.[index]?.question?.message)}>
            <Input autoComplete="off" {...register(`faq.${index}.question`)} />
          </Field>
          <Field label="Answer" error={aboutField('Answer', errors?.[index]?.answer?.message)}>
            <Textarea rows={3} {...register(`faq.${index}.answer`)} />
          </Field>
        </>
      )}
    </ProductFormEntries>
  )
}

/** The documents of a product's Help view. */
export function ProductFormDocuments({ form: { control, register, formState } }: ListProps) {
  const { fields, append, remove, move } = useFieldArray({ control, name: 'documents' })
  const errors = formState.errors.documents
  return (
    <ProductFormEntries
      title="Documents"
      noun="document"
      keys={fields.map(({ id }) => id)}
      onAdd={() => append({ title: '', url: '' })}
      onRemove={remove}
      onMove={move}
    >
      {(index) => (
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="Document title" required error={aboutField('Document title', errors?.[index]?.title?.message)}>
            <Input autoComplete="off" {...register(`documents.${index}.title`)} />
          </Field>
          <Field label="Document address" required error={aboutField('Document address', errors?.[index]?.url?.message)}>
            <Input type="url" inputMode="url" placeholder="https://" autoComplete="off" {...register(`documents.${index}.url`)} />
          </Field>
        </div>
      )}
    </ProductFormEntries>
  )
}
