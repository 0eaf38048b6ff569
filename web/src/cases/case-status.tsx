import { Status, type StatusKind } from '../ui/feedback/status.tsx'

const kinds: Record<string, StatusKind> = { New: 'wait', Working: 'run', Escalated: 'warn', Closed: 'ok' }

/** Takes any status that a support desk has, also one that is not known here. */
export function CaseStatusMark({ status }: { status: string }) {
  return (
    <Status kind={kinds[status] ?? 'unknown'} spoken="">
      {status || 'Not set'}
    </Status>
  )
}
