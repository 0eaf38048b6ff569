import type { CaseDetail } from '@lectern/contract/cases/cases.ts'
import { Pencil, UserCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { usePermission } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { CaseStatusWord } from './case-status.tsx'
import { EditCase } from './edit-case.tsx'
import { VerifyAddress } from './verify-address.tsx'

/** What a case is beside its text. */
export function CaseFacts({ id, found }: { id: string; found: CaseDetail }) {
  const { open } = useDialog()
  const isStaff = usePermission('global:access:organizations')
  const { contactEmail, action_Plan__c: plan } = found
  return (
    <aside className="grid gap-4" aria-label="About the case">
      <Panel
        title="Details"
        actions={
          <Button small icon={Pencil} onClick={() => void open((close) => <EditCase id={id} found={found} close={close} />)}>
            Edit
          </Button>
        }
      >
        <DefinitionList
          left
          items={[
            ['Status', <CaseStatusWord key="status" status={found.status} />],
            ['Priority', orNotSet(found.priority)],
            ['Reader', orNotSet(found.model__c)],
            ['Reason', orNotSet(found.reason)],
            ['Came by', orNotSet(found.origin)],
            ['Contact', orNotSet(contactEmail)],
            ...(isStaff ? [['Contact ID', <ContactId key="id" id={found.contactId} />] as const] : []),
          ]}
        />
        {isStaff && contactEmail && (
          <Button
            small
            className="mt-3"
            icon={UserCheck}
            onClick={() => void open((close) => <VerifyAddress address={contactEmail} close={close} />)}
          >
            Verify the address
          </Button>
        )}
      </Panel>
      <Panel title="Action plan">
        <p className="whitespace-pre-wrap wrap-anywhere">{orNotSet(plan)}</p>
      </Panel>
    </aside>
  )
}

const ContactId = ({ id }: { id: string | null }) => orNotSet(id && <span className="mono">{id}</span>)

const orNotSet = (value: ReactNode): ReactNode => value || <span className="text-ink-3">Not set</span>
