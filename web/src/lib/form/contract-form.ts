import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import type { Edit } from './edit.ts'
import { placeProblem, schemaResolver } from './form-problems.ts'

interface ContractFormOptions<Values extends FieldValues, Saved, Basis, Newest extends Basis> {
  /** The body that the call takes. */
  schema: z.ZodMiniType
  /** What the form begins with. */
  values: Values
  /** Makes of the form's values what the call takes; the values as they are where it is left out. */
  toInput?: (values: Values) => unknown
  save: (values: Values, basedOn: Basis | undefined) => Promise<Saved>
  onSaved: (saved: Saved, values: Values) => unknown
  /** Of a record that others may edit at the same time, and how the form shows it. */
  edit?: Edit<Basis, Newest>
  toValues?: (record: Newest) => Values
}

/** A form over a body of the contract. */
export interface ContractForm<Values extends FieldValues> {
  form: UseFormReturn<Values>
  schema: z.ZodMiniType
  submit: (event?: FormEvent) => Promise<void>
  /** True from the moment it is saved until `onSaved` is done. */
  isSaved: RefObject<boolean>
  /** What went wrong, where it is about no field. */
  failure: string | undefined
  /** While another user has changed the record: loads theirs, or saves over it. */
  conflict: { load: () => Promise<unknown>; saveAnyway: () => Promise<unknown> } | undefined
}

/** Holds a form against a schema of the contract, saves it, and shows at its field what the server refuses. */
export function useContractForm<Values extends FieldValues, Saved, Basis = unknown, Newest extends Basis = Basis>({
  schema,
  values,
  toInput = (entered) => entered,
  save,
  onSaved,
  edit,
  toValues,
}: ContractFormOptions<Values, Saved, Basis, Newest>): ContractForm<Values> {
  const [failure, setFailure] = useState<string>()
  const isSaved = useRef(false)
  const form = useForm<Values>({
    mode: 'onTouched',
    resolver: schemaResolver<Values>(schema, toInput),
    defaultValues: values as DefaultValues<Values>,
  })

  const submitOver = (basedOn: Basis | undefined) =>
    form.handleSubmit(async (entered) => {
      setFailure(undefined)
      let saved: Saved
      try {
        saved = await save(entered, basedOn)
      } catch (error) {
        if (!edit?.fail(error)) setFailure(placeProblem(error, form))
        return
      }
      isSaved.current = true
      await onSaved(saved, entered)
      isSaved.current = false
    })

  return {
    form,
    schema,
    submit: submitOver(edit?.basis),
    isSaved,
    failure,
    conflict: edit?.isOutdated
      ? {
          load: async () => {
            const newest = await edit.restart()
            if (toValues) form.reset(toValues(newest))
          },
          saveAnyway: async () => submitOver(await edit.renew())(),
        }
      : undefined,
  }
}
