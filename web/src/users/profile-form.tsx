import type { CurrentUser } from '@lectern/contract/users.ts'
import { useForm } from 'react-hook-form'
import { useMutation } from '../lib/api/query.ts'
import { refusals } from '../lib/form/refusal.ts'
import { Button } from '../ui/button/button.tsx'
import { useLeaveGuard } from '../ui/dialog/leave-guard.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Tooltip } from '../ui/feedback/tooltip.tsx'
import { Field } from '../ui/form/field.tsx'
import { Saving } from '../ui/form/saving.tsx'
import { Input } from '../ui/input/input.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { PersonFields, type PersonForm } from './person-fields.tsx'

/** What a person may change of their profile (spec §2). Only the first name is required (spec §5). */
export function ProfileForm({ person }: { person: CurrentUser }) {
  const toast = useToast()
  const form = useForm<PersonForm>({ mode: 'onTouched', defaultValues: toForm(person) })
  const { formState, handleSubmit, reset, setError } = form
  const save = useMutation('updateCurrentUser', { errorInPlace: true })

  useLeaveGuard({ isActive: formState.isDirty, title: 'Leave without saving?', question: 'Your changes are not saved.' })

  async function submit({ countryCode, ...rest }: PersonForm) {
    try {
      // Who has not chosen a country says nothing about it.
      const saved = await save.mutateAsync({ body: { ...rest, ...(countryCode && { countryCode }) } })
      reset(toForm(saved))
      toast({ title: 'Profile saved' })
    } catch (error) {
      for (const { name, message } of refusals(error, formFields, 'root')) setError(name, { message }, { shouldFocus: true })
    }
  }

  return (
    <Panel aria-label="Profile">
      <form noValidate onSubmit={handleSubmit(submit)} className="grid gap-5">
        <Saving busy={formState.isSubmitting} className="grid gap-5">
          <PersonFields
            form={form}
            phoneLabel="Phone"
            email={
              <Field label="Email" hint="It comes from your sign-in.">
                <Tooltip text="You cannot change your email address">
                  <Input value={person.email} readOnly autoComplete="email" />
                </Tooltip>
              </Field>
            }
          />
        </Saving>
        {formState.errors.root && <Notice kind="bad">{formState.errors.root.message}</Notice>}
        <div className="flex justify-end gap-2 border-t border-rule pt-4 max-sm:*:flex-1">
          <Button disabled={formState.isSubmitting} onClick={() => reset()}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={!formState.isValid} busy={formState.isSubmitting} busyLabel="Saving">
            Save
          </Button>
        </div>
      </form>
    </Panel>
  )
}

const toForm = ({ firstName, lastName, countryCode, phone }: CurrentUser): PersonForm => ({
  firstName: firstName ?? '',
  lastName: lastName ?? '',
  countryCode: countryCode ?? '',
  phone: phone ?? '',
})

const formFields = { firstName: 'firstName', lastName: 'lastName', countryCode: 'countryCode', phone: 'phone' } as const
