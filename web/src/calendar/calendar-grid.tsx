import '../ui/table/table.css'
import './calendar-grid.css'
import type { Calendar, CalendarDay, ComingRun } from '@lectern/contract/calendar.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import type { Zone } from '@lectern/contract/zones.ts'
import { useQueryClient } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import { Link } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { formatClock } from '../lib/run-words.ts'
import { usePermission } from '../lib/session.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { IconButton } from '../ui/button/icon-button.tsx'
import { classNames } from '../ui/class-names.ts'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { DialogPanel } from '../ui/dialog/dialog-panel.tsx'
import { Ellipsis } from '../ui/feedback/ellipsis.tsx'
import { formatWeekday } from './calendar-days.ts'

interface Blocked {
  from: string
  to: string
  name?: string
}

interface CalendarGridProps {
  days: readonly string[]
  calendar: Calendar
  blocked: readonly Blocked[]
  zone: Zone | undefined
  today: string
  // Whether the days are those shown before.
  isOld: boolean
}

export function CalendarGrid({ days, calendar, blocked, zone, today, isOld }: CalendarGridProps) {
  const byDate = new Map(calendar.days.map((day) => [day.date, day]))
  return (
    <div className="calendar-frame">
      <ol className={classNames('calendar', isOld && 'table-dimmed')} aria-label="Days" aria-busy={isOld || undefined}>
        {days.map((date) => (
          <Day
            key={date}
            date={date}
            day={byDate.get(date)}
            blocked={blocked.find(({ from, to }) => from <= date && date <= to)}
            zone={zone}
            today={today}
          />
        ))}
      </ol>
    </div>
  )
}

interface DayProps {
  date: string
  day: CalendarDay | undefined
  blocked: Blocked | undefined
  zone: Zone | undefined
  today: string
}

const shownRuns = 3

function Day({ date, day, blocked, zone, today }: DayProps) {
  const dialog = useDialog()
  const name = formatWeekday(date, today)
  const runs = day?.runs ?? []
  const more = (day?.runCount ?? 0) - shownRuns
  const showAll = () =>
    dialog.open<void>((close) => (
      <DialogPanel title={`Runs on ${name}`} actions={<Button onClick={() => close()}>Close</Button>}>
        <ul className="calendar-runs">
          {runs.map((run) => (
            <Entry key={run.rollout} run={run} zone={zone} />
          ))}
        </ul>
        {day && day.runCount > runs.length && <p>And {formatNumber(day.runCount - runs.length)} more. Choose a zone to see its runs.</p>}
      </DialogPanel>
    ))
  return (
    <li
      className={classNames(
        'calendar-day',
        !day && !blocked && 'calendar-day-empty',
        blocked && 'calendar-day-blocked',
        date < today && 'calendar-day-past',
      )}
      aria-current={date === today ? 'date' : undefined}
    >
      <h2>
        {name}
        {date === today && <span> Today</span>}
      </h2>
      {blocked && <p className="calendar-blocked">Blocked{blocked.name ? `: ${blocked.name}` : ''}</p>}
      {runs.length > 0 && (
        <ul className="calendar-runs">
          {runs.slice(0, shownRuns).map((run) => (
            <Entry key={run.rollout} run={run} zone={zone} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <Button small variant="link" aria-label={`${formatNumber(more)} more on ${name}`} onClick={showAll}>
          {formatNumber(more)} more
        </Button>
      )}
    </li>
  )
}

const formatClocks = ({ runs }: ComingRun): string =>
  [...new Set(runs.map(({ at, timeZones }) => formatClock(new Date(at), timeZones[0] ?? 'UTC')))].join(', ')

function Entry({ run, zone }: { run: ComingRun; zone: Zone | undefined }) {
  const { rollout, kinds, zones, zoneCount, zoneWords, otherDays } = run
  const title = run.name ?? run.title
  const organizationId = useOrganization()
  const client = useQueryClient()
  const dialog = useDialog()
  const canDo = { configuration: usePermission('manage:cfg'), firmware: usePermission('manage:firmware') }
  const move = () =>
    dialog.open<void>(async (close) => {
      const { MoveDialog, readMovePlan } = await import('../rollouts/move/move-dialog.tsx')
      const movable = { organizationId, id: rollout, title, zone }
      return <MoveDialog {...movable} plan={await readMovePlan(client, movable)} otherDays={otherDays} close={close} />
    })
  return (
    <li>
      <span className="calendar-run">
        <b>{formatClocks(run)}</b>{' '}
        <Link to={paths.rollout({ id: rollout })}>
          <Ellipsis>{title}</Ellipsis>
        </Link>
        <small>{zoneCount === 1 ? zones[0] : (zoneWords ?? counted(zoneCount, 'zone'))}</small>
      </span>
      {kinds.every((kind) => canDo[kind]) && <IconButton small icon={CalendarClock} label={`Start or move ${title}`} onClick={move} />}
    </li>
  )
}
