import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { type DefaultValues, type FieldPath, type FieldValues, get, type Resolver, set, type UseFormReturn, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { CallError } from '../api/call-error.ts'
import { useDraft } from './draft.ts'
import type { Edit } from './edit.ts'

interface Drafting<Values extends FieldValues, Basis, Newest extends Basis> {
  /** Names the form and its record. What the user enters is kept under it past a reload and the session's end. */
  draft: string
  // Keeps what was entered until it is saved or discarded, also when the user leaves the form.
  keepsDraft?: boolean
  // Fields that are never stored.
  secrets?: readonly FieldPath<Values>[]
  edit?: Edit<Basis, Newest>
}

interface ContractFormOptions<Values extends FieldValues, Saved, Basis, Newest extends Basis> extends Drafting<Values, Basis, Newest> {
  schema: z.ZodMiniType
  values: Values
  /** Makes the call's input; absent: the values as they are. */
  toInput?: (values: Values) => unknown
  save: (values: Values, basedOn: Basis | undefined) => Promise<Saved>
  onSaved: (saved: Saved, values: Values) => unknown
  /** The field that shows a failure without a field; absent: below all fields. */
  failureAt?: FieldPath<Values>
  mode?: 'onTouched' | 'onSubmit'
  toValues?: (record: Newest) => Values
}

export function useContractForm<Values extends FieldValues, Saved, Basis = unknown, Newest extends Basis = Basis>({
  schema,
  values,
  toInput = (entered) => entered,
  save,
  onSaved,
  failureAt,
  mode = 'onTouched',
  edit,
  toValues,
  ...drafting
}: ContractFormOptions<Values, Saved, Basis, Newest>) {
  const [failure, setFailure] = useState<string>()
  const isSaved = useRef(false)
  const resolver = schemaResolver<Values>(schema, toInput)
  const form = useForm<Values>({ mode, resolver, defaultValues: values as DefaultValues<Values> })
  const { restored, isKept, end, restart } = useDraftedForm(form, { ...drafting, edit })
  const focusFirstError = useFocusAfterSubmit(form)

  const submitOver = (basedOn: Basis | undefined) =>
    form.handleSubmit(async (entered) => {
      setFailure(undefined)
      let saved: Saved
      try {
        saved = await save(entered, basedOn)
      } catch (error) {
        if (edit?.fail(error)) return
        focusFirstError()
        const problem = placeProblem(error, form)
        if (problem && failureAt) form.setError(failureAt, { type: 'server', message: problem })
        else setFailure(problem)
        return
      }
      end()
      isSaved.current = true
      await onSaved(saved, entered)
      isSaved.current = false
    })

  return {
    form,
    schema,
    submit: submitOver(edit?.basis),
    discard() {
      restart(values)
      setFailure(undefined)
    },
    isSaved,
    failure,
    restored,
    isKept,
    conflict: edit?.isOutdated
      ? {
          load: async () => toValues && restart(toValues(await edit.restart())),
          saveAnyway: async () => submitOver(await edit.renew())(),
        }
      : undefined,
  }
}

export type ContractForm<Values extends FieldValues> = ReturnType<typeof useContractForm<Values, unknown>>

const none: never[] = []

// Keeps only what differs from the record; other fields are as in the record when the form is opened again.
function useDraftedForm<Values extends FieldValues, Basis, Newest extends Basis>(
  form: UseFormReturn<Values>,
  { draft: name, keepsDraft = false, secrets = none, edit }: Drafting<Values, Basis, Newest>,
) {
  const draft = useDraft<Values>({ name, isKept: keepsDraft })
  const [restored, setRestored] = useState(draft.stored)
  const [isKept, setKept] = useState(true)
  const keep = useEffectEvent((entered: object) => {
    const changed = Object.entries(entered).filter(([name, value]) => isChanged(value, get(form.control._defaultValues, name)))
    const values = changed.filter(([name, value]) => !(value instanceof File) && !secrets.includes(name as FieldPath<Values>))
    const isPartial = values.length < changed.length
    setKept(
      draft.store(
        changed.length > 0 ? { values: Object.fromEntries(values) as Partial<Values>, basis: edit?.basis, isPartial } : undefined,
      ),
    )
  })
  const restore = useEffectEvent(() => {
    if (!draft.stored) return
    form.reset({ ...form.getValues(), ...draft.stored.values }, { keepDefaultValues: true })
    if (draft.stored.basis !== undefined) edit?.resume(draft.stored.basis as Basis)
  })
  useLayoutEffect(() => restore(), [])
  useEffect(() => form.watch((entered) => keep(entered)).unsubscribe, [form])
  const end = () => {
    draft.remove()
    setRestored(undefined)
    setKept(true)
  }
  const restart = (values: Values) => {
    form.reset(values)
    end()
  }
  return { restored, isKept, end, restart }
}

const isChanged = (one: unknown, other: unknown): boolean => one instanceof File || JSON.stringify(one) !== JSON.stringify(other)

// Focuses the first wrong field after submitting: the form takes no focus until then.
function useFocusAfterSubmit<Values extends FieldValues>(form: UseFormReturn<Values>): () => void {
  const isRefused = useRef(false)
  const { isSubmitting, errors } = form.formState
  useEffect(() => {
    if (isSubmitting || !isRefused.current) return
    isRefused.current = false
    const first = findFirstError(errors)
    if (first) form.setFocus(first as FieldPath<Values>)
  }, [isSubmitting, errors, form])
  return () => {
    isRefused.current = true
  }
}

// Errors have the shape of the values. Each error has the type of the check that found it.
function findFirstError(errors: object, path = ''): string | undefined {
  for (const [name, error] of Object.entries(errors)) {
    if (!error || typeof error !== 'object') continue
    const found = typeof error.type === 'string' ? `${path}${name}` : findFirstError(error, `${path}${name}.`)
    if (found) return found
  }
  return undefined
}

export function trimTexts<Value>(value: Value): Value {
  if (typeof value === 'string') return value.trim() as Value
  if (Array.isArray(value)) return value.map(trimTexts) as Value
  if (value === null || typeof value !== 'object' || value instanceof File) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, trimTexts(part)])) as Value
}

function schemaResolver<Values extends FieldValues>(schema: z.ZodMiniType, toInput: (values: Values) => unknown): Resolver<Values> {
  return (values) => {
    const parsed = schema.safeParse(toInput(values))
    if (parsed.success) return { values, errors: {} }
    const errors = {}
    for (const { path, message } of parsed.error.issues) {
      // An issue about something that is no field is left to the server, whose sentence the form shows.
      if (path.length > 0 && !(String(path[0]) in values)) continue
      const found = placeIssue(values, path.join('.'), message)
      if (!get(errors, found.field)) set(errors, found.field, { type: 'schema', message: found.message })
    }
    return { values: {}, errors }
  }
}

/** Where one text holds a list, the message names the entry: "Entry 3 must not be empty." */
function placeIssue(values: FieldValues, path: string, message: string): { field: string; message: string } {
  const [list = path, index] = path.split(/\.(?=\d+$)/)
  if (index === undefined || typeof get(values, list) !== 'string') return { field: path, message }
  return { field: list, message: `Entry ${Number(index) + 1} ${message}.` }
}

/**
 * Shows a refusal at the fields that it names.
 * @returns the sentence for the whole form, where it names none
 */
function placeProblem<Values extends FieldValues>(
  error: unknown,
  { getValues, setError }: Pick<UseFormReturn<Values>, 'getValues' | 'setError'>,
): string | undefined {
  const errors = error instanceof CallError ? (error.problem?.errors ?? []) : []
  const found = errors.map(({ field, message }) => placeIssue(getValues(), field, message))
  const placed = found.filter(({ field }) => field !== '' && get(getValues(), field) !== undefined)
  for (const { field, message } of placed) setError(field as FieldPath<Values>, { type: 'server', message })
  if (placed.length > 0 && placed.length === found.length) return undefined
  return error instanceof Error ? error.message : String(error)
}
