import type { RolloutDetail, RolloutPart } from '@lectern/contract/rollouts/rollouts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import { useOrganization } from '../../lib/active-organization.ts'
import { useNow } from '../../lib/now.ts'
import { Button } from '../../ui/button/button.tsx'
import { useDialog } from '../../ui/dialog/dialog.tsx'

/** For a zone of a rollout that waits for its time, perhaps after a phase; nothing for other zones. */
export function MoveZone({ rollout: { id, title }, parts }: { rollout: RolloutDetail; parts: readonly RolloutPart[] }) {
  const organizationId = useOrganization()
  const client = useQueryClient()
  const dialog = useDialog()
  const now = useNow().toISOString()
  const waiting = parts.filter(
    ({ state, runs }) => state === 'scheduled' || (state === 'waitingForPhase' && runs.some(({ at }) => at > now)),
  )
  const [first] = waiting
  if (!first?.zoneId) return null
  const zone = { id: first.zoneId, name: first.zone }
  const move = () =>
    dialog.open<void>(async (close) => {
      const { MoveDialog, readMovePlan } = await import('./move-dialog.tsx')
      const movable = { organizationId, id, title, zone }
      return <MoveDialog {...movable} plan={await readMovePlan(client, movable)} close={close} />
    })
  return (
    <Button small icon={CalendarClock} aria-label={`Start or move ${zone.name}`} className="mt-1" onClick={move}>
      Start or move…
    </Button>
  )
}
