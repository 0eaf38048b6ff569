import { Status, type StatusKind } from '../ui/feedback/status.tsx'

const kinds: Record<string, StatusKind> = { New: 'wait', Working: 'run', Escalated: 'warn', Closed: 'ok' }

/** A case's status; one of the support desk's own that is not known here by its word alone. */
export function CaseStatusWord({ status }: { status: string }) {
  return (
    <Status kind={kinds[status] ?? 'unknown'} spoken="">
      {status || 'Not set'}
    </Status>
  )
}
