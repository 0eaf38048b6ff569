import { type CurrentUser, UpdateUser } from '@lectern/contract/users.ts'
import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { Link } from 'react-router'
import { countriesQuery } from '../countries/country-select.tsx'
import { q, useMutation } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { useIsLimited, useSession } from '../lib/session.ts'
import { isOwnProvider, useSettings } from '../lib/settings.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { useTooltip } from '../ui/feedback/tooltip.tsx'
import { Field } from '../ui/form/field.tsx'
import { FormPage } from '../ui/form/form-page.tsx'
import { Input } from '../ui/input/input.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { PersonFields } from './person-fields.tsx'

export default function ProfilePage() {
  useDocumentTitle('Profile')
  const { logout } = useSession()
  const { auth } = useSettings()
  // The page's frame has just read the same.
  const query = useQuery({ ...q('getCurrentUser', {}), staleTime: 10_000 })
  const { data: person } = query
  const isLimited = useIsLimited()
  usePrefetchQuery(countriesQuery)
  return (
    <Page>
      <PageHead
        title="Profile"
        intro="How colleagues see you, and how support reaches you."
        actions={
          <Button icon={LogOut} onClick={() => void logout()}>
            Log out
          </Button>
        }
      />
      {person ? (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,44rem)_20rem]">
          <ProfileForm person={person} />
          <div className="grid gap-4">
            {person.group && (
              <Panel title="Your group">
                <p className="font-semibold wrap-anywhere">{person.group.name}</p>
                {!isLimited && (
                  <Link to={paths.group()} className="link mt-2 inline-block text-13">
                    Members and invitation link
                  </Link>
                )}
              </Panel>
            )}
            {isOwnProvider(auth) && (
              <Panel title="Sign-in">
                <p className="text-ink-2">A change of the password signs the account out everywhere.</p>
                <a className="link mt-2 inline-block text-13" href="/change-password">
                  Change your password
                </a>
                <a className="link mt-2 block text-13" href="/passkeys">
                  Your passkeys
                </a>
              </Panel>
            )}
          </div>
        </div>
      ) : (
        <Panel flush aria-label="Profile">
          <QueryStates query={query} failed={({ message }) => message} children={() => null} />
        </Panel>
      )}
    </Page>
  )
}

const toValues = ({ firstName, lastName, countryCode, phone }: CurrentUser) => ({
  firstName: firstName ?? '',
  lastName: lastName ?? '',
  countryCode: countryCode ?? '',
  phone: phone ?? '',
})

/** Leaves out a country that is not chosen, as only the first name is required (spec §5). */
const toInput = ({ countryCode, ...texts }: ReturnType<typeof toValues>): UpdateUser => ({ ...texts, ...(countryCode && { countryCode }) })

function ProfileForm({ person }: { person: CurrentUser }) {
  const toast = useToast()
  const { mutateAsync } = useMutation('updateCurrentUser', { errorInPlace: true })
  const bound = useContractForm({
    schema: UpdateUser,
    values: toValues(person),
    toInput,
    draft: 'profile',
    save: (values) => mutateAsync({ body: toInput(values) }),
    onSaved(saved) {
      bound.form.reset(toValues(saved))
      toast({ title: 'Profile saved' })
    },
  })
  const { isSubmitting, isValid } = bound.form.formState
  return (
    <FormPage
      label="Profile"
      bound={bound}
      submit={['Save', 'Saving']}
      disabled={!isValid}
      cancel={<Button disabled={isSubmitting} onClick={bound.discard} children="Cancel" />}
    >
      <PersonFields
        phone="phone"
        email={
          <Field label="Email" hint="It comes from your sign-in.">
            <EmailInput value={person.email} />
          </Field>
        }
      />
    </FormPage>
  )
}

function EmailInput({ value }: { value: string }) {
  const { trigger, tooltip } = useTooltip('You cannot change your email address')
  return (
    <>
      <Input value={value} readOnly autoComplete="email" {...trigger} />
      {tooltip}
    </>
  )
}
