import type { ReaderState, RolloutCounts, RolloutDetail, RolloutPart } from '@lectern/contract/rollouts.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { Fragment, type ReactNode, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { ProgressBar } from '../ui/feedback/progress-bar.tsx'
import { Glyph } from '../ui/feedback/status.tsx'
import { Segment } from '../ui/input/segment.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { everyReader, type ReaderView, writeReaders } from './reader-address.ts'
import { type Grouping, groupParts, nameWithin, type RolloutGroup } from './rollout-groups.ts'
import { RolloutState } from './rollout-state.tsx'
import { formatNote, readerLook } from './rollout-words.ts'

const groupings = [
  { value: 'zone', label: 'Zone' },
  { value: 'model', label: 'Model' },
] as const
const shortly: Partial<Record<ReaderState, string>> = { downloading: 'Downl.' }

/** What became of a rollout by zone and model. A zone opens and shows its models, or the other way round. */
export function RolloutParts({ rollout }: { rollout: RolloutDetail }) {
  const [by, setBy] = useState<Grouping>('zone')
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const groups = useMemo(() => groupParts(rollout.parts, by), [rollout.parts, by])
  const states = useMemo<ReaderState[]>(
    () => ['applied', 'downloading', 'waiting', 'offline', ...(rollout.counts.replaced > 0 ? (['replaced'] as const) : []), 'failed'],
    [rollout.counts.replaced],
  )
  const toggle = (key: string) =>
    setOpened((before) => new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]))
  const head = by === 'zone' ? 'Zone' : 'Model'

  return (
    <Panel
      flush
      title="By zone and model"
      actions={<Segment small label="Group by" choices={groupings} value={by} onChange={setBy} />}
      className="overflow-hidden"
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by the keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label={`Progress by ${head.toLowerCase()}`}>
        <table className="table rollout-parts">
          <thead>
            <tr>
              <th scope="col">{head}</th>
              <th scope="col">State</th>
              <th scope="col" className="numeric">
                Readers
              </th>
              <th scope="col">Progress</th>
              {states.map((state) => (
                <th key={state} scope="col" className="numeric" title={readerLook[state].word}>
                  {shortly[state] ?? readerLook[state].word}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => {
              const isOpen = opened.has(group.key)
              const Chevron = isOpen ? ChevronDown : ChevronRight
              return (
                <Fragment key={group.key}>
                  <tr>
                    <td data-part="name">
                      <button type="button" className="rollout-toggle" aria-expanded={isOpen} onClick={() => toggle(group.key)}>
                        <Chevron size={15} />
                        <b>{group.name}</b>
                      </button>
                    </td>
                    <td data-part="state">
                      <RolloutState state={group.state} note={noteOfGroup(group)} />
                    </td>
                    <Numbers counts={group.counts} states={states} label={group.name} view={viewOfGroup(group, by)} />
                  </tr>
                  {isOpen && group.parts.map((part) => <PartRow key={part.publication} {...{ part, group, by, states }} />)}
                </Fragment>
              )
            })}
          </tbody>
        </table>
      </section>
    </Panel>
  )
}

function PartRow({ part, group, by, states }: { part: RolloutPart; group: RolloutGroup; by: Grouping; states: ReaderState[] }) {
  const name = nameWithin(part, group, by)
  return (
    <tr className="rollout-part">
      <td data-part="name">
        <span className="rollout-part-name">{name}</span>
      </td>
      <td data-part="state">
        <RolloutState state={part.state} note={formatNote(part)} />
      </td>
      <Numbers
        thin
        counts={part.counts}
        states={states}
        label={`${group.name}, ${name}`}
        view={part.zoneId === null ? null : { ...everyReader, zone: part.zoneId, model: part.deviceType }}
      />
    </tr>
  )
}

/** Why a whole group stands as it does, where all of its parts say the same. */
function noteOfGroup({ parts, state }: RolloutGroup): string | undefined {
  const notes = new Set(parts.filter((part) => part.state === state).map(formatNote))
  return notes.size === 1 ? [...notes][0] : undefined
}

const viewOfGroup = ({ parts: [part] }: RolloutGroup, by: Grouping): ReaderView | null => {
  if (by === 'model') return { ...everyReader, model: part!.deviceType }
  return part!.zoneId === null ? null : { ...everyReader, zone: part!.zoneId }
}

type NumbersProps = { counts: RolloutCounts; states: ReaderState[]; label: string; view: ReaderView | null; thin?: boolean }

/** The counts of a row; each leads to its readers. */
function Numbers({ counts, states, label, view, thin }: NumbersProps): ReactNode {
  return (
    <>
      <td className="numeric" data-part="readers">
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
          <td key={state} className="numeric" data-part="count" data-label={word}>
            {count === 0 ? (
              <span className="text-ink-3">0</span>
            ) : (
              <span className={state === 'failed' ? 'rollout-failed' : undefined}>
                {state === 'failed' && <Glyph kind={kind} />}
                {view === null || state === 'replaced' ? (
                  shown
                ) : (
                  <Link
                    to={{ search: String(writeReaders({ ...view, state })), hash: 'readers' }}
                    aria-label={`${shown} ${word.toLowerCase()}, ${label}: show readers`}
                  >
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
