import '../../ui/layout/panel.css'
import { formatNames } from '@lectern/contract/text/names.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import './review-step.css'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { ArrowLeft, Send } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { FieldError } from '../../ui/form/field.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { formatPiece, listModels, type PartName, type Piece, pieceName, samePiece } from '../content/choices.ts'
import { useDowngradeQuestion } from '../content/downgrade-question.tsx'
import type { WizardStore } from '../draft/wizard-store.ts'
import { useWithoutHostQuestion } from '../many/several-zones.tsx'
import { failures } from '../publishing.ts'
import type { StepProps } from '../step-props.ts'
import { usePublish } from '../use-publish.ts'
import { WizardFrame } from '../wizard-frame.tsx'
import { chosenModels, getZone, isReady, isTimeMissing, listPieces, listUnpublished, type WizardState } from '../wizard-state.ts'
import type { ZoneData } from '../zone-data.ts'
import { formatReaders, type ZoneSummary } from '../zone-summary.ts'
import { useLargeQuestion } from './large-publish.tsx'
import { useMovedRunQuestion } from './moved-run.tsx'
import { NameButton } from './name-button.tsx'
import { useWindowQuestion } from './outside-window.tsx'
import { explainNoPhases } from './phase-choice.tsx'
import { ReviewFacts } from './review-facts.tsx'
import { ReviewRow } from './review-row.tsx'
import { ReviewSafety } from './review-safety.tsx'

const DryRun = lazyPart(async () => (await import('../dry-run/dry-run.tsx')).DryRun, <p role="status">Loading...</p>)

interface ReviewStepProps extends StepProps {
  onEdit: (piece: Piece) => void
  onPublished: (rollout: string) => void
}

export function ReviewStep({ wizard, store, data, firmware, notice, onBack, onEdit, onPublished }: ReviewStepProps) {
  const { state } = store
  const publishing = useReviewedPublish(store, data, onPublished)
  const { publish, isBusy, isSending, blocked } = publishing
  return (
    <WizardFrame
      wizard={wizard}
      stage="review"
      title={wizard.review.title}
      intro={`Nothing is sent until you publish. ${state.configZone?.many ? 'All zones get it together, or none does.' : 'Each model publishes separately, so one failure does not hold back the others.'}`}
      notice={notice}
      back={
        <Button icon={ArrowLeft} disabledReason={blocked} onClick={onBack}>
          Back
        </Button>
      }
      summary={<Summary state={state} summary={data.summary} />}
      actions={
        <>
          <Button
            variant="primary"
            icon={Send}
            busy={isBusy}
            busyLabel="Publishing"
            disabledReason={isBusy ? undefined : explainNoPublish(state, data, publishing.isLoading)}
            onClick={() => publish(listUnpublished(state))}
          >
            Publish
          </Button>
          {/* Below the buttons that most people press next. */}
          <NameButton state={state} blocked={blocked} onName={(name) => store.dispatch({ type: 'rolloutName', name })} />
        </>
      }
    >
      <section className="panel" aria-label="Selections">
        <ReviewFacts
          zone={getZone(state)}
          state={state}
          summary={data.summary}
          blocked={blocked}
          onTime={(updateTime) => {
            store.dispatch({ type: 'updateTime', updateTime })
            store.dispatch({ type: 'planned', at: Date.now() })
          }}
        />
        <ReviewRows wizard={wizard} store={store} data={data} firmware={firmware} publishing={publishing} onEdit={onEdit} />
      </section>
      <ReviewSafety
        state={state}
        summary={data.summary}
        blocked={blocked}
        onChoose={(safety) => store.dispatch({ type: 'safety', safety })}
      />
      <DryRun state={state} />
      <PowerWarning devices={chosenModels(state, 'firmware')} isAside={wizard.part !== 'firmware'} />
      <Failures part={wizard.part} state={state} isSending={isSending} />
    </WizardFrame>
  )
}

interface ReviewRowsProps extends Pick<ReviewStepProps, 'wizard' | 'store' | 'data' | 'firmware' | 'onEdit'> {
  publishing: ReturnType<typeof useReviewedPublish>
}

function ReviewRows({ wizard, store: { state, dispatch }, data, firmware, publishing, onEdit }: ReviewRowsProps) {
  const all = listPieces(state)
  return (
    <ul className="review-rows">
      {listModels(all).map((device) => (
        <ReviewRow
          key={device}
          device={device}
          part={wizard.part}
          pieces={all.filter((piece) => piece.device === device)}
          state={state}
          readers={formatReaders(data.summary, [device])}
          latest={firmware(device).latest}
          isSending={publishing.isSending}
          sent={(piece) => publishing.progress[pieceName(piece)]}
          blocked={publishing.blocked}
          onEdit={onEdit}
          onRetry={(piece) => publishing.publish([piece])}
          onCancel={publishing.cancel}
          onAdd={() => {
            dispatch({ type: 'enable', part: 'firmware', device, enabled: true })
            onEdit({ part: 'firmware', device })
          }}
          onRemove={() => dispatch({ type: 'enable', part: 'firmware', device, enabled: false })}
        />
      ))}
    </ul>
  )
}

function useReviewedPublish(store: WizardStore, data: ZoneData, onPublished: (rollout: string) => void) {
  const [isAsking, setAsking] = useState(false)
  const confirmDowngrade = useDowngradeQuestion(store.state)
  const askAboutMovedRun = useMovedRunQuestion(store.state, data.summary)
  const askAboutWindow = useWindowQuestion(store.state, data.summary)
  const askAboutHosts = useWithoutHostQuestion(store.state, data.summary)
  const large = useLargeQuestion(store.state, data.summary)
  const { publish, sending, progress, cancel } = usePublish(store, onPublished, data.refresh)
  const isBusy = isAsking || sending.length > 0
  return {
    isBusy,
    isLoading: large.isLoading,
    blocked: isBusy ? 'Publishing is in progress.' : undefined,
    isSending: (piece: Piece) => sending.some((each) => samePiece(each, piece)),
    progress,
    cancel,
    async publish(chosen: readonly Piece[]) {
      setAsking(true)
      async function ask() {
        if (!(await confirmDowngrade(chosen))) return undefined
        const changes = await askAboutMovedRun()
        const phased = changes && (await large.ask(changes))
        const outside = phased && (await askAboutWindow(phased))
        return outside && askAboutHosts(outside)
      }
      const changes = await ask().finally(() => setAsking(false))
      if (changes) await publish(chosen, changes)
    },
  }
}

// Shows how many readers and models are published to. The time is above.
function Summary({ state, summary }: { state: WizardState; summary: ZoneSummary | undefined }) {
  const models = listModels(listUnpublished(state))
  return (
    <>
      <b>{formatReaders(summary, models)}</b>, {counted(models.length, 'model')}
    </>
  )
}

interface FailuresProps {
  part: PartName
  state: WizardState
  isSending: (piece: Piece) => boolean
}

function Failures({ part, state, isSending }: FailuresProps) {
  const failed = failures(state).filter(({ pieces }) => !pieces.every(isSending))
  if (failed.length === 0) return null
  return (
    <div className="publish-errors" role="alert">
      {failed.map(({ pieces, message }) => (
        <FieldError key={message}>
          {formatNames(pieces.map((piece) => formatPiece(piece, part)))} could not be published. {message}
        </FieldError>
      ))}
    </div>
  )
}

/** Warns of switching readers off during an update. Shows nothing where no reader gets firmware (spec §2). */
function PowerWarning({ devices, isAside }: { devices: readonly UpdateModel[]; isAside: boolean }) {
  if (devices.length === 0) return null
  return (
    <Notice kind="warn" className="mt-4">
      {isAside && `${formatNames(devices)} also ${devices.length === 1 ? 'receives' : 'receive'} firmware. `}
      Do not power off the device during the update: it can damage the reader.
    </Notice>
  )
}

/** Says why nothing can be published; undefined where something can. */
function explainNoPublish(
  state: WizardState,
  { isDeleted, changes, summary, summaryProblem }: ZoneData,
  isLoading: boolean,
): string | undefined {
  if (changes) return 'Look at the zones first: they have changed.'
  if (isDeleted) return 'The zone was deleted. Go back and choose another.'
  if (isTimeMissing(state)) return 'Go back and set an update time first, such as 02:00.'
  const phases = explainNoPhases(state)
  if (phases) return phases
  const all = listPieces(state)
  if (all.length === 0) return 'Go back and tick at least one model first.'
  const unfinished = all.filter((piece) => !isReady(state, piece))
  const config = unfinished.filter(({ part }) => part === 'config')
  const firmware = unfinished.filter(({ part }) => part === 'firmware')
  // Whether the publish is large is not known before the zones' readers are.
  if (!summary && (state.when === 'at' || !summaryProblem)) return 'Loading the host PCs...'
  if (isLoading) return 'Loading the safety limits...'
  if (config.length > 0) return `Finish the configuration of ${formatNames(listModels(config))} first, and save it with Next.`
  return firmware.length > 0 ? `Choose the firmware of ${formatNames(listModels(firmware))} first.` : undefined
}
