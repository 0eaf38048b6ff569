import { type FieldRules, fieldRules, fieldSentence } from '@lectern/contract/text/fields.ts'
import {
  createContext,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { type FieldValues, FormProvider, get, type UseFormReturn, useFormContext } from 'react-hook-form'
import type * as z from 'zod/mini'
import { classNames } from '../class-names.ts'
import { LongWaitNotice, Notice } from '../feedback/notice.tsx'
import { EditConflict } from './edit-conflict.tsx'
import { useHeldWhilePressed } from './held-while-pressed.ts'

export interface BoundForm<Values extends FieldValues = FieldValues> {
  form: UseFormReturn<Values>
  schema: z.ZodMiniType
  submit: (event?: FormEvent) => Promise<void>
  /** True from the save until `onSaved` is done; the form may be left then. */
  isSaved: RefObject<boolean>
  /** Undefined where the failure is about a field. */
  failure: string | undefined
  // Present where the form has what was entered before a reload, or before the session ended. `isPartial`: files and secrets are missing.
  restored: { isPartial: boolean } | undefined
  // False where the browser does not store what is entered.
  isKept: boolean
  conflict: { load: () => Promise<unknown>; saveAnyway: () => Promise<unknown> } | undefined
}

const SchemaContext = createContext<z.ZodMiniType | null>(null)

interface BoundFieldsProps<Values extends FieldValues> {
  bound: BoundForm<Values>
  noun?: string
  className?: string
  // Whether the form itself shows the progress of a save.
  hasProgress?: boolean
  children: ReactNode
}

export function BoundFields<Values extends FieldValues>({
  bound,
  noun = 'record',
  className = 'grid grid-cols-1 gap-5',
  hasProgress = false,
  children,
}: BoundFieldsProps<Values>) {
  const { form, schema, failure, restored, isKept, conflict } = bound
  return (
    <FormProvider {...form}>
      <SchemaContext value={schema}>
        {restored && (
          <Notice className="mb-4">
            What you entered here before is back, and not saved yet.
            {restored.isPartial && ' Files and secrets are not kept: enter them again.'}
          </Notice>
        )}
        <Saving busy={form.formState.isSubmitting} className={className}>
          {children}
          {failure && <Notice kind="bad">{failure}</Notice>}
        </Saving>
        <LongWaitNotice isWaiting={form.formState.isSubmitting && !hasProgress} />
        {!isKept && (
          <Notice kind="warn" className="mt-4">
            This browser does not store what you enter here: a reload, or the end of your session, loses it.
          </Notice>
        )}
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
  const shown = useHeldWhilePressed(message)
  return { ...rules, error: shown === undefined ? undefined : fieldSentence(rules.label, shown) }
}

interface SavingProps {
  busy: boolean
  className?: string
  children: ReactNode
}

/** While it saves, the fields are dim and take neither clicks nor keys (spec §2). Afterwards the focus returns. */
function Saving({ busy, className, children }: SavingProps) {
  const element = useRef<HTMLDivElement>(null)
  const focused = useRef<Element>(null)
  // An inert element keeps its focus until the next paint.
  useLayoutEffect(() => {
    if (busy) focused.current = document.activeElement
  }, [busy])
  useEffect(() => {
    if (busy) return
    // A click on an inert element focuses what is around it.
    const isLost = document.activeElement?.contains(element.current)
    if (isLost && focused.current instanceof HTMLElement) focused.current.focus()
    focused.current = null
  }, [busy])
  return (
    <div ref={element} className={classNames('transition-opacity inert:opacity-50', className)} inert={busy} aria-busy={busy || undefined}>
      {children}
    </div>
  )
}
