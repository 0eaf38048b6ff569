import type { CaseDetail } from '@lectern/contract/cases/cases.ts'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from 'react-router'
import { CallError } from '../lib/api/call-error.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { paths } from '../paths.ts'
import { ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { NotFound } from '../ui/feedback/not-found.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { BackStrip } from '../ui/layout/strip.tsx'
import { CaseActions } from './case-actions.tsx'
import type { CameFrom } from './case-address.ts'
import { CaseFacts } from './case-facts.tsx'
import { CaseText } from './case-text.tsx'
import { FollowUpForm } from './follow-up-form.tsx'
import { Unverified } from './unverified.tsx'

/** `/support/{caseId}`: a case with what followed, and what can be done with it. */
export default function CasePage() {
  const { caseId = '' } = useParams()
  const from = useLocation().state as CameFrom | null
  return (
    <>
      <BackStrip to={`${paths.cases()}${from?.list ?? ''}`} label="Support" />
      <Page>
        <Case key={caseId} id={caseId} />
      </Page>
    </>
  )
}

function Case({ id }: { id: string }) {
  const { data: found, error, isFetching, refetch } = useQuery(q('getCase', { params: { id } }))
  useDocumentTitle(found ? found.subject : 'Case')
  if (found) return <Found id={id} found={found} />
  const status = error instanceof CallError ? error.status : undefined
  if (!error)
    return (
      <p role="status" className="text-ink-2">
        Loading...
      </p>
    )
  if (status === 404)
    return (
      <NotFound title="Case not found" to={paths.cases()} back="Support">
        There is no such case, or it is not yours.
      </NotFound>
    )
  return (
    <>
      <PageHead title="Case" />
      <Panel flush aria-label="Case">
        {status === 403 ? (
          <Unverified onRetry={refetch} />
        ) : (
          <ErrorPanel message="Error loading the case" detail={error.message} onRetry={refetch} retrying={isFetching} />
        )}
      </Panel>
    </>
  )
}

function Found({ id, found }: { id: string; found: CaseDetail }) {
  return (
    <>
      <PageHead
        trail={`Case ${id}`}
        title={<span className="wrap-anywhere">{found.subject || 'No subject'}</span>}
        actions={<CaseActions id={id} found={found} />}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          <CaseText found={found} />
          <FollowUpForm id={id} found={found} />
        </div>
        <CaseFacts id={id} found={found} />
      </div>
    </>
  )
}
