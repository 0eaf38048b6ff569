import { type Recovery, RecoveryConfirmation } from '@lectern/contract/people/passkeys.ts'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../lib/active-organization.ts'
import { q, useMutation } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { formatMinute } from '../lib/format.ts'
import { Button } from '../ui/button/button.tsx'
import { Confirm } from '../ui/dialog/confirm.tsx'
import { useConfirmDelete } from '../ui/dialog/confirm-delete.tsx'
import { type Close, useDialog } from '../ui/dialog/dialog.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'

export default function SignInPage() {
  useDocumentTitle('Sign-in')
  const organizationId = useOrganization()
  return (
    <Page>
      <PageHead title="Sign-in" intro="How members sign in, and who has lost their passkeys." />
      <div className="grid gap-4">
        <Rule organizationId={organizationId} />
        <Recoveries organizationId={organizationId} />
      </div>
    </Page>
  )
}

function Rule({ organizationId }: { organizationId: string }) {
  const params = { organizationId }
  const query = useQuery(q('getSignInRule', { params }))
  const { open } = useDialog()
  const toast = useToast()
  const { mutateAsync: save } = useMutation('setSignInRule', { errorInPlace: true })

  function ask(requiresPasskeys: boolean) {
    const run = async () => {
      await save({ params, body: { requiresPasskeys } })
      toast({ title: requiresPasskeys ? 'Passkeys are required' : 'Passkeys are no longer required' })
    }
    open<boolean>((close) => (
      <Confirm
        title={requiresPasskeys ? 'Require passkeys' : 'No longer require passkeys'}
        yes={requiresPasskeys ? 'Require passkeys' : 'No longer require'}
        busyLabel="Saving"
        close={close}
        onYes={run}
      >
        {requiresPasskeys
          ? 'Whoever is signed in with a password is asked for a passkey at once, and adds one if they have none.'
          : 'A password alone signs members in again.'}
      </Confirm>
    ))
  }

  return (
    <Panel title="Passkeys">
      <QueryStates query={query} failed="Error loading the rule">
        {({ requiresPasskeys }) => (
          <div className="grid justify-items-start gap-3">
            <p className="max-w-prose">
              {requiresPasskeys
                ? 'Passkeys are required: a password alone does not sign a member in.'
                : 'Passkeys are not required: members may sign in with a password.'}
            </p>
            <Button onClick={() => ask(!requiresPasskeys)}>{requiresPasskeys ? 'No longer require passkeys' : 'Require passkeys'}</Button>
          </div>
        )}
      </QueryStates>
    </Panel>
  )
}

function Recoveries({ organizationId }: { organizationId: string }) {
  const query = useQuery(q('listRecoveries', { params: { organizationId } }))
  return (
    <Panel flush title="Lost passkeys">
      <QueryStates query={query} failed="Error loading the recoveries">
        {(list) =>
          list.length === 0 ? (
            <p className="p-4 text-ink-2">No member asks for a recovery.</p>
          ) : (
            <ul className="divide-y divide-rule">
              {list.map((recovery) => (
                <RecoveryItem key={recovery.recoveryId} recovery={recovery} organizationId={organizationId} />
              ))}
            </ul>
          )
        }
      </QueryStates>
    </Panel>
  )
}

interface ConfirmRecoveryProps {
  recovery: Recovery
  organizationId: string
  close: Close<void>
}

function ConfirmRecovery({ recovery, organizationId, close }: ConfirmRecoveryProps) {
  const { recoveryId, email, requestedAt, address, browser } = recovery
  const toast = useToast()
  const { mutateAsync: confirm } = useMutation('confirmRecovery', { awaitReads: true, errorInPlace: true })
  const bound = useContractForm({
    schema: RecoveryConfirmation,
    values: { code: '' },
    draft: `recovery/${recoveryId}`,
    secrets: ['code'],
    failureAt: 'code',
    save: (body) => confirm({ params: { organizationId, recoveryId }, body }),
    onSaved() {
      toast({ title: 'Recovery confirmed', detail: email })
      close()
    },
  })
  return (
    <FormDialog title={`Confirm the recovery of ${email}`} bound={bound} submit={['Confirm', 'Confirming']} close={close}>
      <p>
        Speak with them first, and have them read their code to you. Whoever has this code replaces all passkeys of the account, and needs
        only the password. It was asked for on {formatMinute(requestedAt)} from {address} with {browser}.
      </p>
      <TextField name="code" mono />
    </FormDialog>
  )
}

function RecoveryItem({ recovery, organizationId }: { recovery: Recovery; organizationId: string }) {
  const { recoveryId, name, email, requestedAt, expiresAt, address, browser, isConfirmed, isOwn } = recovery
  const params = { organizationId, recoveryId }
  const { open } = useDialog()
  const confirmDelete = useConfirmDelete()
  const { mutateAsync: refuse } = useMutation('refuseRecovery', { awaitReads: true, errorInPlace: true })

  const askToConfirm = () => open<void>((close) => <ConfirmRecovery recovery={recovery} organizationId={organizationId} close={close} />)
  const askToRefuse = () =>
    confirmDelete({
      resource: 'Recovery',
      label: email,
      title: `the recovery of ${email}`,
      words: { title: 'Refuse', busy: 'Refusing', done: 'refused' },
      consequence: 'They may ask again. If it was not them, another person knows their password: have them change it.',
      delete: () => refuse({ params }),
    })

  return (
    <li className="grid gap-3 p-4 sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 gap-1">
        {name && <b className="font-semibold wrap-anywhere">{name}</b>}
        <span className="wrap-anywhere">{email}</span>
        <Status kind={isConfirmed ? 'ok' : 'wait'} spoken="" children={isConfirmed ? 'Confirmed, not used yet' : 'Waits for a manager'} />
        <span className="text-13 text-ink-2">
          Asked for on {formatMinute(requestedAt)} from {address} with {browser}, good until {formatMinute(expiresAt)}
        </span>
      </div>
      <div className="flex flex-wrap items-start gap-2">
        {isOwn && <span className="text-13 text-ink-2">Another manager confirms it.</span>}
        {!isOwn && !isConfirmed && (
          <Button small aria-label={`Confirm the recovery of ${email}`} onClick={askToConfirm}>
            Confirm
          </Button>
        )}
        <Button small aria-label={`Refuse the recovery of ${email}`} onClick={() => void askToRefuse()}>
          Refuse
        </Button>
      </div>
    </li>
  )
}
