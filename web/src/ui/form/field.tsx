import './field.css'
import { CircleAlert } from 'lucide-react'
import { createContext, type ReactNode, useContext, useId, useMemo } from 'react'
import { classNames } from '../class-names.ts'

interface FieldControl {
  id: string
  describedBy: string | undefined
  invalid: boolean
  required: boolean
}

const FieldContext = createContext<FieldControl | null>(null)

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  /** To be given after blur or submit, not while the user first types. */
  error?: string | undefined
  required?: boolean
  className?: string
  children: ReactNode
}

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

export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className="field-error" id={id}>
      <CircleAlert size={14} />
      {children}
    </p>
  )
}

interface ControlAttributes {
  id?: string | undefined
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | 'true' | 'false' | 'grammar' | 'spelling' | undefined
  'aria-required'?: boolean | 'true' | 'false' | undefined
}

export function useFieldAttributes(own: ControlAttributes): ControlAttributes {
  const field = useContext(FieldContext)
  return {
    id: own.id ?? field?.id,
    'aria-describedby': [field?.describedBy, own['aria-describedby']].filter(Boolean).join(' ') || undefined,
    'aria-invalid': own['aria-invalid'] ?? (field?.invalid || undefined),
    'aria-required': own['aria-required'] ?? (field?.required || undefined),
  }
}
