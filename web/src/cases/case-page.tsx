import type { CaseDetail } from '@lectern/contract/cases/cases.ts'
import { splitFollowUps } from '@lectern/contract/cases/follow-ups.ts'
import { useQuery } from '@tanstack/react-query'
import { Pencil, UserCheck } from 'lucide-react'
import { useParams } from 'react-router'
import { CallError } from '../lib/api/call-error.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { formatMinute } from '../lib/format.ts'
import { useListQuery } from '../lib/list-address.ts'
import { usePermission } from '../lib/session.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { NotFound } from '../ui/feedback/not-found.tsx'
import { orNotSet } from '../ui/feedback/or-not-set.tsx'
import { QueryError, QueryStates } from '../ui/feedback/query-states.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { BackStrip } from '../ui/layout/strip.tsx'
import { CaseActions } from './case-actions.tsx'
import { CaseStatusMark } from './case-status.tsx'
import { FollowUpForm } from './follow-up-form.tsx'
import { isUnverified, Unverified } from './unverified.tsx'

export default function CasePage() {
  const { caseId = '' } = useParams()
  return (
    <>
      <BackStrip to={paths.cases(useListQuery())} label="Support" />
      <Page>
        <Case key={caseId} id={caseId} />
      </Page>
    </>
  )
}

const failed = 'Error loading the case'

function Case({ id }: { id: string }) {
  const query = useQuery(q('getCase', { params: { id } }))
  const { data: found, error } = query
  useDocumentTitle(found ? found.subject : 'Case')
  if (found)
    return (
      <>
        <QueryError query={query} failed={failed} />
        <Found id={id} found={found} />
      </>
    )
  if (error instanceof CallError && error.status === 404)
    return (
      <NotFound title="Case not found" to={paths.cases()} back="Support">
        There is no such case, or it is not yours.
      </NotFound>
    )
  return (
    <>
      <PageHead title="Case" />
      <Panel flush aria-label="Case">
        {isUnverified(error) ? <Unverified onRetry={query.refetch} /> : <QueryStates query={query} failed={failed} children={() => null} />}
      </Panel>
    </>
  )
}

interface FoundProps {
  id: string
  found: CaseDetail
}

function Found({ id, found }: FoundProps) {
  return (
    <>
      <PageHead
        trail={`Case ${id}`}
        title={<span className="wrap-anywhere">{found.subject || 'No subject'}</span>}
        actions={<CaseActions id={id} found={found} />}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          <Description found={found} />
          <FollowUpForm id={id} found={found} />
        </div>
        <Facts id={id} found={found} />
      </div>
    </>
  )
}

function Description({ found: { description, contactEmail } }: { found: CaseDetail }) {
  const { first, followUps } = splitFollowUps(description)
  return (
    <Panel title="Description" flush>
      <Entry by={contactEmail ?? 'No contact'} text={first || 'No description'} />
      {followUps.map(({ at, by, text }, index) => (
        <Entry key={index} by={by} at={`${at.replace(' ', 'T')}:00Z`} text={text} />
      ))}
    </Panel>
  )
}

function Entry({ by, at, text }: { by: string; at?: string; text: string }) {
  return (
    <article className="px-4 py-3.5 [&+&]:border-t [&+&]:border-rule">
      <h3 className="mb-1.5 flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5 text-13 font-semibold wrap-anywhere">
        {by}
        {at && (
          <time dateTime={at} className="text-12 font-normal text-ink-3">
            {formatMinute(at)}
          </time>
        )}
      </h3>
      <p className="max-w-[76ch] whitespace-pre-wrap wrap-anywhere">{text}</p>
    </article>
  )
}

function Facts({ id, found }: FoundProps) {
  const { open } = useDialog()
  const isStaff = usePermission('global:access:organizations')
  const { contactEmail, contactId, action_Plan__c: plan } = found
  const edit = (
    <Button
      small
      icon={Pencil}
      onClick={() =>
        void open(async (close) => {
          const { EditCase } = await import('./edit-case.tsx')
          return <EditCase id={id} found={found} close={close} />
        })
      }
    >
      Edit
    </Button>
  )
  return (
    <aside className="grid gap-4" aria-label="About the case">
      <Panel title="Details" actions={edit}>
        <DefinitionList
          left
          items={[
            ['Status', <CaseStatusMark key="status" status={found.status} />],
            ['Priority', orNotSet(found.priority)],
            ['Reader', orNotSet(found.model__c)],
            ['Reason', orNotSet(found.reason)],
            ['Came by', orNotSet(found.origin)],
            ['Contact', orNotSet(contactEmail)],
            ...(isStaff ? [['Contact ID', orNotSet(contactId && <span className="mono">{contactId}</span>)] as const] : []),
          ]}
        />
        {isStaff && contactEmail && (
          <Button
            small
            className="mt-3"
            icon={UserCheck}
            onClick={() =>
              void open(async (close) => {
                const { VerifyAddress } = await import('./verify-address.tsx')
                return <VerifyAddress address={contactEmail} close={close} />
              })
            }
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
