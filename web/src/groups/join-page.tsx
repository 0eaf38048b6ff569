import '../ui/layout/panel.css'
import type { Group } from '@lectern/contract/groups.ts'
import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { CallError } from '../lib/api/call-error.ts'
import { q, useMutation } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useSession } from '../lib/session.ts'
import { organizationParameter } from '../lib/tab-organization.ts'
import { paths } from '../paths.ts'
import { BareFrame } from '../shell/bare-frame.tsx'
import { Bars } from '../ui/bars.tsx'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'

export default function JoinPage() {
  useDocumentTitle('Join a group')
  const { groupId } = useParams()
  const [search] = useSearchParams()
  const invitation = search.get('invitation') ?? undefined
  const join = useMutation('joinGroup', { errorInPlace: true, awaitReads: true })
  const [joined, setJoined] = useState<Group>()
  const [failure, setFailure] = useState<Error>()
  const hasStarted = useRef(false)
  const before = useRef<readonly string[]>([])

  async function attempt() {
    before.current = person.data?.organizationId ?? []
    try {
      setJoined(await join.mutateAsync({ params: { id: Number(groupId) }, body: { invitation } }))
    } catch (error) {
      setFailure(error as Error)
    }
  }

  const person = useQuery(q('getCurrentUser', {}))
  const group = person.data?.group
  // A member of another group is asked first; once, however often the page renders.
  useEffect(() => {
    if (hasStarted.current || person.isPending || group) return
    hasStarted.current = true
    void attempt()
  })

  return (
    <BareFrame>
      {joined ? (
        <Joined group={joined} organizationId={person.data?.organizationId.find((id) => !before.current.includes(id))} />
      ) : failure ? (
        <NotJoined failure={failure} hasInvitation={invitation !== undefined} busy={join.isPending} onRetry={attempt} />
      ) : group?.gid === Number(groupId) && !join.isPending ? (
        <AlreadyIn group={group.name} />
      ) : group && !join.isPending ? (
        <Question group={group.name} onJoin={attempt} />
      ) : (
        <p role="status" className="text-ink-2">
          Joining the group...
        </p>
      )}
    </BareFrame>
  )
}

function Question({ group, onJoin }: { group: string; onJoin: () => void }) {
  return (
    <Outcome
      title="Join this group?"
      action={
        <>
          <ButtonLink to={paths.home()} replace>
            Cancel
          </ButtonLink>
          <Button variant="primary" onClick={onJoin}>
            Join
          </Button>
        </>
      }
    >
      You are in {group}. An invitation of your own organization moves you to another group. One of another organization makes you a member
      there as well.
    </Outcome>
  )
}

// For a user who follows the link again, or comes back from adding the passkey that their new organization demands.
function AlreadyIn({ group }: { group: string }) {
  return (
    <Outcome
      title={`You are in ${group}`}
      action={
        <ButtonLink to={paths.home()} replace variant="primary">
          Continue
        </ButtonLink>
      }
    >
      You have joined it already.
    </Outcome>
  )
}

// `organizationId`: given where the user is new to that organization; the tab then changes to it.
function Joined({ group, organizationId }: { group: Group; organizationId: string | undefined }) {
  const others = group.users.length - 1
  return (
    <Outcome
      title={`You joined ${group.name}`}
      action={
        <ButtonLink
          to={{ pathname: paths.home(), search: organizationId && `?${organizationParameter}=${organizationId}` }}
          replace
          variant="primary"
        >
          Continue
        </ButtonLink>
      }
    >
      {others === 0
        ? 'You are its only member.'
        : `You share its products with ${others === 1 ? 'one colleague' : `${others} colleagues`}.`}
    </Outcome>
  )
}

interface NotJoinedProps {
  failure: Error
  hasInvitation: boolean
  busy: boolean
  onRetry: () => void
}

function NotJoined({ failure, hasInvitation, busy, onRetry }: NotJoinedProps) {
  const { user } = useSession()
  const status = failure instanceof CallError ? failure.status : 500
  const canRetry = typeof status !== 'number' || status >= 500 || status === 429
  const cutShort = !hasInvitation && (status === 404 || status === 400)
  return (
    <Outcome
      title="You have not joined the group"
      isFailure
      action={
        <>
          <ButtonLink to={paths.home()} replace>
            Continue to Lectern
          </ButtonLink>
          {canRetry && (
            <Button variant="primary" icon={RotateCw} busy={busy} onClick={onRetry}>
              Try Again
            </Button>
          )}
        </>
      }
    >
      {cutShort
        ? 'This link has no invitation in it. It may have been cut short. Open the whole link of the mail, or ask whoever sent it for a new one.'
        : failure.message}
      <span className="mt-2 block text-13 text-ink-3">
        You are signed in as <span className="wrap-anywhere">{user?.email}</span>.
      </span>
    </Outcome>
  )
}

interface OutcomeProps {
  title: string
  children: ReactNode
  action: ReactNode
  isFailure?: boolean
}

function Outcome({ title, children, action, isFailure }: OutcomeProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="panel grid w-full max-w-136 gap-4 p-6 max-sm:p-4">
      <Bars symbol="LECTERN" module={2} height={14} className="text-rule-2" />
      <div className="grid gap-2" role={isFailure ? 'alert' : undefined}>
        <h1 ref={heading} tabIndex={-1} className="text-26 leading-tight font-semibold wrap-anywhere outline-none">
          {title}
        </h1>
        <p className="max-w-prose text-ink-2">{children}</p>
      </div>
      <div className="flex flex-wrap justify-end gap-3 border-t border-rule pt-5 max-sm:*:flex-1">{action}</div>
    </section>
  )
}
