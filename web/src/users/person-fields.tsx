import type { ReactNode } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { CountrySelect } from '../countries/country-select.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/input/input.tsx'
import { PhoneInput } from '../ui/input/phone-input.tsx'

/** What a person says of themselves. */
export type PersonForm = { firstName: string; lastName: string; countryCode: string; phone: string }

type Rule = (text: string) => true | string

type PersonFieldsProps = {
  form: UseFormReturn<PersonForm>
  /** The read-only field, in its place between names and country. */
  email: ReactNode
  phoneLabel: string
  phoneHint?: string
  /** What this form asks beyond a first name (spec §5). */
  rules?: { lastName?: Rule; phone?: Rule }
}

/** Longest name of either kind, in characters; the server refuses a longer one. */
const longestName = 100

/** First and last name, e-mail, country and phone, each with its error below (spec §5). */
export function PersonFields({ form, email, phoneLabel, phoneHint, rules = {} }: PersonFieldsProps) {
  const { register, control, formState, watch } = form
  const message = (name: keyof PersonForm) => formState.errors[name]?.message
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="First name" error={message('firstName')}>
          <Input
            {...register('firstName', { validate: (text) => text.trim() !== '' || 'Enter your first name.' })}
            customValidity={message('firstName')}
            maxLength={longestName}
            autoComplete="given-name"
          />
        </Field>
        <Field label="Last name" error={message('lastName')}>
          <Input
            {...register('lastName', { validate: rules.lastName })}
            customValidity={message('lastName')}
            maxLength={longestName}
            autoComplete="family-name"
          />
        </Field>
      </div>
      {email}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Country" error={message('countryCode')}>
          <Controller
            control={control}
            name="countryCode"
            render={({ field }) => <CountrySelect value={field.value} onChange={field.onChange} onBlur={field.onBlur} />}
          />
        </Field>
        <Field label={phoneLabel} hint={phoneHint} error={message('phone')}>
          <Controller
            control={control}
            name="phone"
            rules={{ validate: rules.phone }}
            render={({ field }) => <PhoneInput {...field} country={watch('countryCode')} customValidity={message('phone')} />}
          />
        </Field>
      </div>
    </>
  )
}
