import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { CountrySelect } from '../countries/country-select.tsx'
import { ControlledField } from '../ui/form/choice-fields.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { PhoneInput } from '../ui/input/phone-input.tsx'

interface PersonFieldsProps {
  email: ReactNode
  phone: string
}

export function PersonFields({ email, phone }: PersonFieldsProps) {
  const country: string = useWatch({ name: 'countryCode' })
  return (
    <>
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
        <TextField name="firstName" required autoComplete="given-name" />
        <TextField name="lastName" autoComplete="family-name" />
      </div>
      {email}
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
        <ControlledField name="countryCode">
          {({ value, onChange, onBlur }) => <CountrySelect value={value} onChange={onChange} onBlur={onBlur} />}
        </ControlledField>
        <ControlledField name={phone}>
          {(control, error) => <PhoneInput {...control} country={country} customValidity={error} />}
        </ControlledField>
      </div>
    </>
  )
}
