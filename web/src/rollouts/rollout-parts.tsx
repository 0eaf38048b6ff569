import './rollout-parts.css'
import type { ReaderState, RolloutCounts, RolloutDetail, RolloutPart, RolloutPartPage } from '@lectern/contract/rollouts/rollouts.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useNow } from '../lib/now.ts'
import { Button } from '../ui/button/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Ellipsis } from '../ui/feedback/ellipsis.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { ProgressBar } from '../ui/feedback/progress-bar.tsx'
import { useQueryProblem } from '../ui/feedback/query-states.tsx'
import { SkeletonRows } from '../ui/feedback/skeleton.tsx'
import { Glyph } from '../ui/feedback/status.tsx'
import { Segment } from '../ui/input/segment.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { ListSearch } from '../ui/table/list-search.tsx'
import { ListPager } from '../ui/table/paged-table.tsx'
import { StillTrying } from '../ui/table/still-trying.tsx'
import { MoveZone } from './move/move-zone.tsx'
import { formatPartName, type Grouping, groupParts, type RolloutGroup } from './rollout-groups.ts'
import { RolloutState } from './rollout-marks.tsx'
import { formatNote, formatPlannedAnew, formatStarts, nameState, readerLook } from './rollout-words.ts'
import { rolloutPartsAddress, type useRolloutParts } from './use-rollout-parts.ts'
import { type ReadersLink, useReadersLink } from './use-rollout-readers.ts'

const ZoneFilters = lazyPart(async () => (await import('./filters/zone-filters.tsx')).ZoneFilters, null)

const groupings = [
  { value: 'zone', label: 'Zone' },
  { value: 'model', label: 'Model' },
] as const

// Counts of applied and failed readers are shown at every width.
const countClass = (state: ReaderState) =>
  classNames('numeric', state === 'replaced' && 'table-from-wide', /downloading|waiting|silent/.test(state) && 'table-from-large')

interface RolloutPartsProps {
  rollout: RolloutDetail
  parts: ReturnType<typeof useRolloutParts>
  canChange: boolean
}

export function RolloutParts({ rollout, parts: { list, query }, canChange }: RolloutPartsProps) {
  const [by, setBy] = useState<Grouping>('zone')
  const problem = useQueryProblem(query, 'Error loading the zones')
  const { data } = query
  // A model's sums need all zones, so models are shown only where the page has all of them.
  const isWhole = !list.isFiltered && rollout.zoneCount <= list.state.size
  const isLong = rollout.zoneCount > rolloutPartsAddress.first.size || list.isFiltered || list.state.page > 0
  return (
    <Panel
      flush
      title="By zone and model"
      actions={isWhole && <Segment small label="Group by" choices={groupings} value={by} onChange={setBy} />}
      className="overflow-hidden"
    >
      {isLong && (
        <div className="toolbar">
          <ListSearch list={list} label="Search zones" placeholder="Zone name" />
          <ZoneFilters list={list} />
        </div>
      )}
      {data !== undefined && problem}
      {data !== undefined && <StillTrying query={query} />}
      {(data === undefined && problem) || (
        <Groups
          rollout={rollout}
          canChange={canChange}
          page={data}
          by={isWhole ? by : 'zone'}
          isOld={query.isPlaceholderData}
          expected={list.state.size}
        />
      )}
      {data?.totalCount === 0 && !query.isPlaceholderData && (
        <EmptyState
          action={
            <Button variant="link" onClick={list.clear}>
              Show all zones
            </Button>
          }
        >
          No zone matches.
        </EmptyState>
      )}
      {isLong && <ListPager list={list} query={query} noun={['zone', 'zones']} label="Pages of zones" />}
    </Panel>
  )
}

const useStates = (hasReplaced: boolean): ReaderState[] =>
  useMemo(() => ['applied', 'downloading', 'waiting', 'silent', ...(hasReplaced ? (['replaced'] as const) : []), 'failed'], [hasReplaced])

interface GroupsProps {
  rollout: RolloutDetail
  canChange: boolean
  page: RolloutPartPage | undefined
  by: Grouping
  // Whether the rows are those of the page before.
  isOld: boolean
  expected: number
}

function Groups({ rollout, canChange, page, by, isOld, expected }: GroupsProps) {
  const { counts, zoneCount } = rollout
  const groups = useMemo(() => page && groupParts(page.partList, by), [page, by])
  const states = useStates(counts.replaced > 0)
  const head = by === 'zone' ? 'Zone' : 'Model'
  const now = useNow()
  const shared = groups && findSharedNote(groups, now)
  if (groups?.length === 0) return null
  return (
    <section
      className={classNames('table-scroll', isOld && 'table-dimmed')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by the keyboard
      tabIndex={0}
      aria-label={`Progress by ${head.toLowerCase()}`}
      aria-busy={isOld || !groups || undefined}
    >
      {shared && (
        <p className="rollout-shared-note">
          {nameState(shared.state)}: {shared.note.charAt(0).toLowerCase()}
          {shared.note.slice(1)}.
        </p>
      )}
      <table className="table rollout-parts">
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col">State</th>
            <th scope="col" className="numeric table-from-medium">
              Readers
            </th>
            <th scope="col">Progress</th>
            {states.map((state) => (
              <th key={state} scope="col" className={countClass(state)}>
                {readerLook[state].word}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups ? (
            groups.map((group) => (
              <GroupRows
                key={`${by} ${group.key}`}
                group={group}
                by={by}
                states={states}
                now={now}
                shared={shared?.note}
                rollout={canChange && by === 'zone' ? rollout : null}
              />
            ))
          ) : (
            <SkeletonRows
              rows={Math.min(zoneCount, expected)}
              columns={[
                { width: 120 },
                { width: 80 },
                { width: 40, className: 'table-from-medium' },
                { width: 120 },
                ...states.map((state) => ({ width: 24, className: countClass(state) })),
              ]}
            />
          )}
        </tbody>
      </table>
    </section>
  )
}

interface GroupRowsProps {
  group: RolloutGroup
  by: Grouping
  states: ReaderState[]
  now: Date
  /** The note above the table. */
  shared: string | undefined
}

/** `rollout`: null where its zones cannot be moved. */
function GroupRows({ group, by, states, now, shared, rollout }: GroupRowsProps & { rollout: RolloutDetail | null }) {
  const [isOpen, setOpen] = useState(false)
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <>
      <tr>
        <td data-part="name">
          <button type="button" className="rollout-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <Chevron size={15} />
            <Ellipsis twoLines className="flex-1 font-semibold">
              {group.name}
            </Ellipsis>
          </button>
          {isOpen && rollout && <MoveZone rollout={rollout} parts={group.parts} />}
        </td>
        <td data-part="state">
          <RolloutState of={group} {...leaveOut(describeGroup(group, now), shared)} />
        </td>
        <Numbers counts={group.counts} states={states} label={group.name} readers={filterGroup(group, by)} />
      </tr>
      {isOpen &&
        group.parts.map((part) => (
          <PartRow key={part.publication} part={part} group={group} by={by} states={states} now={now} shared={shared} />
        ))}
    </>
  )
}

function PartRow({ part, group, by, states, now, shared }: GroupRowsProps & { part: RolloutPart }) {
  const name = formatPartName(part, group, by)
  return (
    <tr className="rollout-part">
      <td data-part="name">
        <Ellipsis twoLines className="rollout-part-name">
          {name}
        </Ellipsis>
      </td>
      <td data-part="state">
        <RolloutState of={part} {...leaveOut(describePart(part, now), shared)} />
      </td>
      <Numbers
        thin
        counts={part.counts}
        states={states}
        label={`${group.name}, ${name}`}
        readers={part.zoneId === null ? null : { zone: part.zoneId, model: part.deviceType }}
      />
    </tr>
  )
}

interface Described {
  note?: string | undefined
  whole?: string | undefined
}

const describePart = (part: RolloutPart, now: Date): Described => ({
  note: formatNote(part, now),
  whole:
    part.state === 'scheduled'
      ? [formatStarts(part.runs, { now, updateTime: part.updateTime }), formatPlannedAnew(part)].filter(Boolean).join('\n')
      : formatPlannedAnew(part),
})

/** What all parts with the group's state have in common; nothing where they differ. */
function describeGroup({ parts, state }: RolloutGroup, now: Date): Described {
  const [first, ...others] = parts.filter((part) => part.state === state).map((part) => describePart(part, now))
  return first && others.every(({ note, whole }) => note === first.note && whole === first.whole) ? first : {}
}

const leaveOut = (described: Described, shared: string | undefined): Described => (described.note === shared ? {} : described)

/** The note that all rows with a note have; where there are several, it is shown once. */
function findSharedNote(groups: readonly RolloutGroup[], now: Date) {
  const noted = groups.flatMap((group) => {
    const { note } = describeGroup(group, now)
    return note === undefined ? [] : [{ state: group.state, note }]
  })
  const [first] = noted
  return first && noted.length > 1 && noted.every(({ note }) => note === first.note) ? first : undefined
}

type ReaderFilter = Parameters<ReadersLink>[0]

/** Null where the zone was deleted. */
function filterGroup({ parts: [part] }: RolloutGroup, by: Grouping): ReaderFilter | null {
  if (by === 'model') return { model: part!.deviceType }
  return part!.zoneId === null ? null : { zone: part!.zoneId }
}

interface NumbersProps {
  counts: RolloutCounts
  states: ReaderState[]
  label: string
  /** The filter of readers that a count links to. */
  readers: ReaderFilter | null
  thin?: boolean
}

function Numbers({ counts, states, label, readers, thin }: NumbersProps) {
  const toReaders = useReadersLink()
  return (
    <>
      <td className="numeric table-from-medium" data-part="readers">
        {formatNumber(counts.readers)}
      </td>
      <td data-part="bar">
        <ProgressBar size={thin ? 'thin' : 'normal'} counts={counts} label={label} />
      </td>
      {states.map((state) => {
        const { kind, word } = readerLook[state]
        const count = counts[state]
        const shown = formatNumber(count)
        return (
          <td key={state} className={countClass(state)} data-part="count" data-label={word}>
            {count === 0 ? (
              <span className="text-ink-3">0</span>
            ) : (
              <span className={state === 'failed' ? 'rollout-failed' : undefined}>
                {state === 'failed' && <Glyph kind={kind} />}
                {readers === null || state === 'replaced' ? (
                  shown
                ) : (
                  <Link to={toReaders({ ...readers, state })} aria-label={`${shown} ${word.toLowerCase()}, ${label}: show readers`}>
                    {shown}
                  </Link>
                )}
              </span>
            )}
          </td>
        )
      })}
    </>
  )
}
