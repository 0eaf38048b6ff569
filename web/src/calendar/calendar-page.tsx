import '../ui/table/table.css'
import './calendar-page.css'
import type { Calendar } from '@lectern/contract/calendar.ts'
import { findOpenTimes } from '@lectern/contract/schedule/open-times.ts'
import type { WholeSchedule } from '@lectern/contract/schedule/schedule.ts'
import { formatWindow } from '@lectern/contract/schedule/schedule-words.ts'
import { formatNames, zonesInSentence } from '@lectern/contract/text/names.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import { CalendarDate, Uuid } from '@lectern/contract/text/text.ts'
import type { Zone } from '@lectern/contract/zones.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useNow } from '../lib/now.ts'
import { viewerTimeZone } from '../lib/run-words.ts'
import { useScreens } from '../lib/screens.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { ZoneInput } from '../zones/zone-input.tsx'
import { addDays, findMonday, findToday, formatWeekday, listDays, shownDays } from './calendar-days.ts'
import { CalendarGrid } from './calendar-grid.tsx'

/** Reads from the address the first day, a Monday, and the zone. */
function useCalendarAddress(today: string) {
  const [search, setSearch] = useSearchParams()
  const from = findMonday(CalendarDate.safeParse(search.get('from')).data ?? today)
  const zone = Uuid.safeParse(search.get('zone')).data
  const show = (next: { from?: string; zone?: string | undefined }) => {
    const all = { from, zone, ...next }
    setSearch({ ...(all.from !== findMonday(today) && { from: all.from }), ...(all.zone !== undefined && { zone: all.zone }) })
  }
  return { from, zone, show }
}

export default function CalendarPage() {
  useDocumentTitle('Calendar')
  const organizationId = useOrganization()
  const params = { organizationId }
  const now = useNow()
  const today = findToday(now, viewerTimeZone())
  const { from, zone, show } = useCalendarAddress(today)
  const query = useQuery({
    ...q('getCalendar', { params, query: { from, days: shownDays, zone } }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
  const schedule = useQuery(q('getSchedule', { params })).data
  const zones = useQuery(q('listZones', { params })).data
  const openTimes = schedule && findOpenTimes(schedule, zone ?? null)
  const chosen = zones?.find(({ id }) => id === zone)
  const screens = useScreens()
  return (
    <Page>
      <PageHead
        title="Calendar"
        intro="When readers update next, on the clock of each zone’s host PC."
        actions={screens(paths.publishingSettings()) && <ButtonLink to={paths.publishingSettings()}>Publishing settings</ButtonLink>}
      />
      <Panel flush aria-label="Coming runs">
        <Toolbar today={today} zones={zones} from={from} zone={zone} show={show} />
        {schedule && <Windows schedule={schedule} zone={zone} />}
        <QueryStates query={query} failed="Error loading the calendar">
          {(calendar) => (
            <>
              <Others calendar={calendar} />
              <PhaseWaits calendar={calendar} />
              <CalendarGrid
                days={listDays(from)}
                calendar={calendar}
                blocked={openTimes?.blockedDays ?? []}
                zone={chosen}
                today={today}
                isOld={query.isPlaceholderData}
              />
            </>
          )}
        </QueryStates>
      </Panel>
    </Page>
  )
}

interface ToolbarProps extends ReturnType<typeof useCalendarAddress> {
  today: string
  zones: readonly Zone[] | undefined
}

function Toolbar({ today, zones, from, zone, show }: ToolbarProps) {
  const range = `${formatWeekday(from, today)} to ${formatWeekday(addDays(from, shownDays - 1), today)}`
  return (
    <div className="toolbar">
      <span className="calendar-zone">
        <ZoneInput label="Zone" placeholder="All zones" zones={zones} chosen={zone} onChoose={(one) => show({ zone: one?.id })} />
      </span>
      <span className="flex flex-wrap items-center gap-2">
        <b aria-live="polite">{range}</b>
        <Button small icon={ChevronLeft} onClick={() => show({ from: addDays(from, -shownDays) })}>
          Earlier
        </Button>
        <Button small icon={ChevronRight} onClick={() => show({ from: addDays(from, shownDays) })}>
          Later
        </Button>
        {from !== findMonday(today) && (
          <Button small variant="link" onClick={() => show({ from: findMonday(today) })}>
            This week
          </Button>
        )}
      </span>
    </div>
  )
}

/** Windows of the chosen zone, else of the organization. Each run keeps to those of its own zone. */
function Windows({ schedule, zone }: { schedule: WholeSchedule; zone: string | undefined }) {
  const { windows } = findOpenTimes(schedule, zone ?? null)
  const own = zone === undefined ? schedule.zones.length : 0
  const lines = [
    windows.length > 0 && `Maintenance windows: ${windows.map(formatWindow).join('; ')}.`,
    own > 0 && `${counted(own, 'zone')} ${own === 1 ? 'has' : 'have'} windows or blocked days of ${own === 1 ? 'its' : 'their'} own.`,
  ].filter((line) => line !== false)
  return lines.length > 0 && <p className="px-4 py-3 text-13 text-ink-2">{lines.join(' ')}</p>
}

/** Runs without a day yet, as a phase comes first. */
function PhaseWaits({ calendar: { phaseWaits, phaseWaitCount } }: { calendar: Calendar }) {
  if (phaseWaits.length === 0) return null
  return (
    <section className="px-4 py-3 text-13" aria-labelledby="phase-waits">
      <h2 id="phase-waits" className="font-semibold">
        Waiting for a phase
      </h2>
      <ul>
        {phaseWaits.map(({ rollout, name, title, phase, isByHand, zones, zoneCount, zoneWords }) => (
          <li key={`${rollout} ${phase}`} className="wrap-anywhere">
            <Link to={paths.rollout({ id: rollout })}>{name ?? title}</Link> in{' '}
            {zoneWords === undefined ? formatNames(zones, zones.length, zoneCount) : zonesInSentence(zoneWords)}: phase {phase}, which
            begins {isByHand ? 'by hand' : 'after the phase before it'}
          </li>
        ))}
        {phaseWaitCount > phaseWaits.length && <li>And {formatNumber(phaseWaitCount - phaseWaits.length)} more.</li>}
      </ul>
    </section>
  )
}

/** How much is outside these days. */
function Others({ calendar: { days, before, after, halted, withoutHost } }: { calendar: Calendar }) {
  const lines = [
    days.length === 0 && 'No run is on these days.',
    before > 0 && `${counted(before, 'run')} before these days.`,
    after > 0 && `${counted(after, 'run')} after these days.`,
    halted > 0 && `${counted(halted, 'rollout')} halted in some zones.`,
    withoutHost > 0 && `${counted(withoutHost, 'rollout')} with zones without a host PC.`,
  ].filter((line) => line !== false)
  return lines.length > 0 && <Notice className="calendar-others">{lines.join(' ')}</Notice>
}
