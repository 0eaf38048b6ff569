import type { Group } from '@lectern/contract/groups.ts'
import { useEffect, useRef, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { useMutation } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { BareFrame } from '../shell/bare-frame.tsx'
import { Joined, NotJoined } from './join-outcome.tsx'

/** `/join/:groupId?invitation=…`, where an invitation link leads: opening it signed in joins the group (decided). */
export default function JoinPage() {
  useDocumentTitle('Join a group')
  const { groupId } = useParams()
  const [search] = useSearchParams()
  const invitation = search.get('invitation') ?? undefined
  const join = useMutation('joinGroup', { errorInPlace: true })
  const [joined, setJoined] = useState<Group>()
  const [failure, setFailure] = useState<Error>()
  const begun = useRef(false)

  async function attempt() {
    try {
      setJoined(await join.mutateAsync({ params: { id: Number(groupId) }, body: { invitation } }))
    } catch (error) {
      setFailure(error as Error)
    }
  }

  // Once, however often the page is drawn.
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void attempt()
  })

  return (
    <BareFrame>
      {joined ? (
        <Joined group={joined} />
      ) : failure ? (
        <NotJoined failure={failure} isWhole={invitation !== undefined} busy={join.isPending} onRetry={attempt} />
      ) : (
        <p role="status" className="text-ink-2">
          Joining the group...
        </p>
      )}
    </BareFrame>
  )
}
