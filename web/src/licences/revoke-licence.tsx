import type { LicenceDetails } from '@lectern/contract/licences/licences.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { type ReactNode, useState } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { useMutation } from '../lib/api/query.ts'
import { usePermission } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { Confirm } from '../ui/dialog/confirm.tsx'
import { type Close, useDialog } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Checkbox } from '../ui/input/checkbox.tsx'

export function RevokeLicence({ licence }: { licence: LicenceDetails }) {
  const { open } = useDialog()
  const organizationId = useOrganization()
  const canManage = usePermission('manage:licences')
  const canRemove = usePermission('manage:firmware')
  if (!canManage || (licence.revoked && !(canRemove && licence.activeHosts > 0))) return null

  // Asks in a dialog. Its opener disappears with what the dialog did, so the focus moves.
  async function ask(draw: (close: Close<boolean>) => ReactNode) {
    if (await open<boolean>(draw)) document.getElementById('main')?.focus()
  }

  const of = { organizationId, licence }
  if (licence.revoked)
    return (
      <Button variant="danger" onClick={() => void ask((close) => <RemoveHosts {...of} close={close} />)}>
        Remove its host PCs
      </Button>
    )
  return (
    <Button variant="danger" onClick={() => void ask((close) => <Revoke {...of} canRemove={canRemove} close={close} />)}>
      Revoke
    </Button>
  )
}

interface DialogProps {
  organizationId: string
  licence: LicenceDetails
  close: Close<boolean>
}

const countHosts = (amount: number) => counted(amount, 'host PC')

function useRevoke({ organizationId, licence: { id } }: DialogProps) {
  const { mutateAsync } = useMutation('revokeLicence', { awaitReads: true, errorInPlace: true })
  return (removeHosts: boolean) => mutateAsync({ params: { organizationId, id }, body: { removeHosts } })
}

function Revoke({ canRemove, ...props }: DialogProps & { canRemove: boolean }) {
  const { licence, close } = props
  const toast = useToast()
  const revoke = useRevoke(props)
  const [removeHosts, setRemoveHosts] = useState(false)
  const { licenseNumber, activeHosts } = licence

  async function run() {
    await revoke(removeHosts)
    toast({ title: 'Licence revoked', detail: licenseNumber })
  }

  return (
    <Confirm title="Revoke this licence" yes="Revoke" destructive busyLabel="Revoking" close={close} onYes={run}>
      <p>
        Neither <span className="mono wrap-anywhere">{licenseNumber}</span> nor its file enrolls a host PC any more. This cannot be undone.
      </p>
      {activeHosts > 0 && (
        <div className="mt-3 grid gap-2">
          <p>
            {activeHosts === 1 ? 'The host PC' : `The ${countHosts(activeHosts)}`} that it enrolled {activeHosts === 1 ? 'keeps' : 'keep'}{' '}
            running{canRemove ? ', unless removed too' : ''}.
          </p>
          {canRemove && (
            <Checkbox checked={removeHosts} onChange={(event) => setRemoveHosts(event.target.checked)}>
              Also remove the {countHosts(activeHosts)} that it enrolled. Their readers receive no updates until another host PC reports
              them.
            </Checkbox>
          )}
        </div>
      )}
    </Confirm>
  )
}

function RemoveHosts(props: DialogProps) {
  const { licence, close } = props
  const toast = useToast()
  const revoke = useRevoke(props)
  const hosts = countHosts(licence.activeHosts)

  async function run() {
    await revoke(true)
    toast({ title: 'Host PCs removed', detail: hosts })
  }

  return (
    <Confirm title={`Remove ${hosts}`} yes="Remove" destructive busyLabel="Removing" close={close} onYes={run}>
      The {hosts} that this licence enrolled can no longer connect. Their readers receive no updates until another host PC reports them. To
      bring a host PC back, enroll it again with another licence.
    </Confirm>
  )
}
