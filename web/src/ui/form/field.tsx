import { CircleAlert } from 'lucide-react'
import { createContext, type ReactNode, useContext, useId, useMemo } from 'react'
import { classNames } from '../class-names.ts'

type FieldControl = { id: string; describedBy: string | undefined; invalid: boolean; required: boolean }

const FieldContext = createContext<FieldControl | null>(null)

type FieldProps = {
  label: ReactNode
  hint?: ReactNode
  /** Shown in red and linked to the control. Give it after blur or submit, never while somebody first types. */
  error?: string | undefined
  required?: boolean
  className?: string
  /** One control of this folder: input, text area, select or time input. */
  children: ReactNode
}

/** A control under its label, with hint and error. The control inside takes its id and its aria attributes from here. */
export function Field({ label, hint, error, required = false, className, children }: FieldProps) {
  const id = useId()
  const invalid = Boolean(error)
  const describedBy = [invalid && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined
  const control = useMemo(() => ({ id, describedBy, invalid, required }), [id, describedBy, invalid, required])
  return (
    <div className={classNames('field', className)}>
      <label className="field-label" htmlFor={id}>
        {label}
        {required && (
          <span className="field-required" aria-hidden="true">
            {' '}
            required
          </span>
        )}
      </label>
      <FieldContext value={control}>{children}</FieldContext>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {hint && (
        <span className="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  )
}

/** A message in red with its icon, where there is no field around. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className="field-error" id={id}>
      <CircleAlert size={14} />
      {children}
    </p>
  )
}

type ControlAttributes = {
  id?: string | undefined
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | 'true' | 'false' | 'grammar' | 'spelling' | undefined
  'aria-required'?: boolean | 'true' | 'false' | undefined
}

/** The attributes a control takes from the field around it; its own ones win. Without a field, its own ones only. */
export function useFieldAttributes(own: ControlAttributes): ControlAttributes {
  const field = useContext(FieldContext)
  return {
    id: own.id ?? field?.id,
    'aria-describedby': [field?.describedBy, own['aria-describedby']].filter(Boolean).join(' ') || undefined,
    'aria-invalid': own['aria-invalid'] ?? (field?.invalid || undefined),
    'aria-required': own['aria-required'] ?? (field?.required || undefined),
  }
}
