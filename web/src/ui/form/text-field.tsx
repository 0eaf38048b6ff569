import type { ComponentProps, ReactNode } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { classNames } from '../class-names.ts'
import { Input } from '../input/input.tsx'
import { Textarea } from '../input/textarea.tsx'
import { useBoundField } from './bound-form.tsx'
import { Field } from './field.tsx'

interface TextFieldProps extends Pick<ComponentProps<'input'>, 'type' | 'autoComplete' | 'placeholder' | 'inputMode' | 'max' | 'disabled'> {
  name: string
  /** Replaces the schema's hint. */
  hint?: ReactNode
  required?: boolean
  beside?: ReactNode
  lines?: number
  mono?: boolean
  /** Shows the number of characters, and takes more than fit, so that pasted text is not cut. */
  counted?: boolean
  className?: string
}

export function TextField({
  name,
  hint,
  required: ownRequired,
  beside,
  lines,
  mono,
  counted,
  className,
  autoComplete = 'off',
  ...input
}: TextFieldProps) {
  const { register } = useFormContext()
  const { label, hint: ownHint, longest, required, error } = useBoundField(name)
  const control = {
    ...register(name),
    customValidity: error,
    ...(counted ? {} : { maxLength: longest }),
    ...(mono && { spellCheck: false }),
  }
  const shownHint = hint ?? ownHint
  const box = (look?: string) => <Input {...input} {...control} autoComplete={autoComplete} className={classNames(mono && 'mono', look)} />
  return (
    <Field
      label={label}
      required={ownRequired ?? required}
      error={error}
      className={className}
      hint={
        counted && longest !== undefined ? (
          <>
            {shownHint} <Characters name={name} limit={longest} />
          </>
        ) : (
          shownHint
        )
      }
    >
      {lines !== undefined ? (
        <Textarea {...control} rows={lines} mono={mono} placeholder={input.placeholder} disabled={input.disabled} />
      ) : beside ? (
        <div className="flex flex-wrap items-center gap-3">
          {box('min-w-0 max-w-112 flex-1 max-sm:max-w-none max-sm:basis-full')}
          {beside}
        </div>
      ) : (
        box()
      )}
    </Field>
  )
}

function Characters({ name, limit }: { name: string; limit: number }) {
  const text: unknown = useWatch({ name })
  const length = typeof text === 'string' ? text.trim().length : 0
  const over = length - limit
  return (
    <span className={over > 0 ? 'font-medium text-bad' : undefined}>
      {length} of {limit} characters{over > 0 && `, ${over} too many`}
    </span>
  )
}
