import { Status, type StatusKind } from '../ui/feedback/status.tsx'

const kinds: Record<string, StatusKind> = { New: 'wait', Working: 'run', Escalated: 'warn', Closed: 'ok' }

export function CaseStatusMark({ status }: { status: string }) {
  return (
    <Status kind={kinds[status] ?? 'unknown'} spoken="">
      {status || 'Not set'}
    </Status>
  )
}
