import '../ui/form/field.css'
import { countCannot, type DryRunCounts } from '@lectern/contract/publications/dry-run.ts'
import type { RepairPlan } from '@lectern/contract/publications/repairs.ts'
import { counted, formatNumber, nounOfUpdates } from '@lectern/contract/text/numbers.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CallError } from '../lib/api/call-error.ts'
import type { q } from '../lib/api/query.ts'
import { Confirm } from '../ui/dialog/confirm.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { describeOlder, type Figure, FigureList, Figures, kindNames } from './figures.tsx'

interface RepairDialogProps {
  title: string
  yes: string
  /** The query of the dry run. */
  preview: ReturnType<typeof q<'previewRetry' | 'previewReapplyConfiguration' | 'previewReapplyFirmware'>>
  /** Repairs as shown, or is refused. */
  onRepair: (expected: RepairPlan) => Promise<unknown>
  close: Close<boolean>
}

/** Shows what a retry or a re-apply would do before it is requested. */
export function RepairDialog({ title, yes, preview, onRepair, close }: RepairDialogProps) {
  const client = useQueryClient()
  const query = useQuery(preview)
  const plan = query.data
  async function repair() {
    try {
      await onRepair(plan!)
    } catch (error) {
      if (error instanceof CallError && error.problem?.errors?.some((one) => one.field === 'expected'))
        await client.invalidateQueries({ queryKey: preview.queryKey })
      throw error
    }
  }
  return (
    <Confirm
      title={title}
      yes={yes}
      busyLabel="Requesting"
      disabledReason={plan ? undefined : 'What it would do is not counted yet.'}
      close={close}
      onYes={repair}
    >
      <QueryStates query={query} failed="Error counting the readers">
        {(loaded) => <Plan plan={loaded} />}
      </QueryStates>
    </Confirm>
  )
}

type Part = RepairPlan['models'][number]

const sum = (parts: readonly Part[], name: keyof DryRunCounts) => parts.reduce((total, { counts }) => total + counts[name], 0)

/** Each kind is counted by itself, as a reader may get both again. */
function Plan({ plan: { models: parts, afterResume } }: { plan: RepairPlan }) {
  const kinds = [...Map.groupBy(parts, ({ kind }) => kind)]
  return (
    <div className="grid gap-3">
      {kinds.map(([kind, own]) => (
        <KindFigures key={kind} label={kinds.length > 1 ? kindNames[kind] : ''} parts={own} />
      ))}
      {parts.length > kinds.length && (
        <FigureList label="By model">
          {parts.map(({ model, kind, counts }) => (
            <li key={`${model} ${kind}`}>
              <b>{`${model}, ${kind}`}</b>
              <span>{describePart(counts)}</span>
            </li>
          ))}
        </FigureList>
      )}
      {afterResume > 0 && (
        <Notice>
          {counted(afterResume, nounOfUpdates(kinds.map(([kind]) => kind)))} {afterResume === 1 ? 'waits' : 'wait'} until the rollout is
          resumed.
        </Notice>
      )}
    </div>
  )
}

function describePart(counts: DryRunCounts): string {
  const others = countCannot(counts) + counts.missing
  const words = [`${formatNumber(counts.changes)} get it`]
  if (counts.matches > 0) words.push(`${formatNumber(counts.matches)} run it already`)
  if (others > 0) words.push(`${formatNumber(others)} cannot now`)
  return words.join(', ')
}

/** `label`: the kind's; '' where there is only one. */
function KindFigures({ label, parts }: { label: string; parts: readonly Part[] }) {
  const total = sum(parts, 'readers')
  const others: Figure[] = [
    [sum(parts, 'matches'), 'run it already', ''],
    [sum(parts, 'silent'), 'are silent', 'Their host PC is away. They get it once it is back.'],
    [sum(parts, 'onTwoPcs'), 'are handed nothing', 'Their host PC runs on two PCs. They get it once each is enrolled anew.'],
    [sum(parts, 'missing'), 'are missing', 'Their host PC reports them no more.'],
    [sum(parts, 'noHost'), 'have no host PC', ''],
    [sum(parts, 'olderApp'), 'need a newer app', 'That of their host PC is too old.'],
    [sum(parts, 'notPossible'), 'cannot get it', 'It is not possible with these readers’ published commands.'],
    [sum(parts, 'battery'), 'have a low battery', 'It fails again until they are charged.'],
  ]
  return (
    <>
      {label !== '' && <h3 className="field-label">{label}</h3>}
      <p>
        It is applied again to <b>{counted(total, 'reader')}</b>.
      </p>
      <Figures
        label={`What happens to the readers ${label}`.trim()}
        figures={[[sum(parts, 'changes'), 'get it', describeOlder(sum(parts, 'toOlder'))], ...others.filter(([readers]) => readers > 0)]}
      />
    </>
  )
}
