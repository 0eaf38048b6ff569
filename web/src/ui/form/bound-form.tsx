import { type FieldRules, fieldRules, fieldSentence } from '@lectern/contract/text/fields.ts'
import { createContext, type FormEvent, type ReactNode, type RefObject, useContext, useMemo } from 'react'
import { type FieldValues, FormProvider, get, type UseFormReturn, useFormContext } from 'react-hook-form'
import type * as z from 'zod/mini'
import { Notice } from '../feedback/notice.tsx'
import { EditConflict } from './edit-conflict.tsx'
import { Saving } from './saving.tsx'

export interface BoundForm<Values extends FieldValues = FieldValues> {
  form: UseFormReturn<Values>
  schema: z.ZodMiniType
  submit: (event?: FormEvent) => Promise<void>
  /** True from the save until `onSaved` is done: then the form may be left. */
  isSaved: RefObject<boolean>
  failure: string | undefined
  conflict: { load: () => Promise<unknown>; saveAnyway: () => Promise<unknown> } | undefined
}

const SchemaContext = createContext<z.ZodMiniType | null>(null)

interface BoundFieldsProps<Values extends FieldValues> {
  bound: BoundForm<Values>
  noun?: string
  className?: string
  children: ReactNode
}

export function BoundFields<Values extends FieldValues>({
  bound,
  noun = 'record',
  className = 'grid gap-5',
  children,
}: BoundFieldsProps<Values>) {
  const { form, schema, failure, conflict } = bound
  return (
    <FormProvider {...form}>
      <SchemaContext value={schema}>
        <Saving busy={form.formState.isSubmitting} className={className}>
          {children}
          {failure && <Notice kind="bad">{failure}</Notice>}
        </Saving>
        {conflict && <EditConflict what={noun} className="mt-4" onLoad={conflict.load} onSaveAnyway={conflict.saveAnyway} />}
      </SchemaContext>
    </FormProvider>
  )
}

interface BoundField extends FieldRules {
  error: string | undefined
}

export function useBoundField(name: string): BoundField {
  const schema = useContext(SchemaContext)
  const { formState } = useFormContext()
  if (!schema) throw new Error('A bound field was used outside a form')
  const rules = useMemo(() => fieldRules(schema, name), [schema, name])
  const message = (get(formState.errors, name) as { message?: string } | undefined)?.message
  return { ...rules, error: message === undefined ? undefined : fieldSentence(rules.label, message) }
}
