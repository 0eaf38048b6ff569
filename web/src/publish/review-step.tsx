import './review-step.css'
import type { UpdateModel } from '@lectern/contract/device-models.ts'
import { ArrowLeft, Send } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { FieldError } from '../ui/field.tsx'
import { failures } from './publishing.ts'
import { ReviewFacts } from './review-facts.tsx'
import { ReviewRow } from './review-row.tsx'
import type { StepProps } from './step-props.ts'
import { usePublish } from './use-publish.ts'
import { configuredDevices, isSaved, location, unpublished, type WizardState } from './wizard.ts'
import { WizardFrame } from './wizard-frame.tsx'
import { counted, modelList, readersOf } from './zone-standing.ts'

type ReviewStepProps = StepProps & { onEdit: (device: UpdateModel) => void; onPublished: () => void }

/** Step 3: what will be sent, and Publish. Each model is published, fails and is retried on its own (spec §2, §4). */
export function ReviewStep({ store, data, frame, notice, onBack, onEdit, onPublished }: ReviewStepProps) {
  const { state } = store
  const zone = location(state)
  const devices = configuredDevices(state)
  const rest = unpublished(state)
  const { publish, sending } = usePublish(store, onPublished, data.refresh)
  const isBusy = sending.length > 0
  const failed = failures(state).filter(({ devices: of }) => !of.every((device) => sending.includes(device)))

  return (
    <WizardFrame
      {...frame}
      stage="review"
      title="Review Your Device Configuration Selections"
      intro="Nothing is sent until you publish. Each device type publishes separately, so one failure does not hold back the others."
      notice={notice}
      back={
        <Button icon={ArrowLeft} disabledReason={isBusy ? 'Publishing is under way.' : undefined} onClick={onBack}>
          Back
        </Button>
      }
      summary={
        <>
          <b>{counted(readersOf(data.standing, rest), 'reader')}</b>, {counted(rest.length, 'device type')}, <b>{state.updateTime}</b>
        </>
      }
      actions={
        <Button
          variant="primary"
          icon={Send}
          busy={isBusy}
          busyLabel="Publishing"
          disabledReason={isBusy ? undefined : unready(state, data.isGone)}
          onClick={() => publish(rest)}
        >
          Publish
        </Button>
      }
    >
      <section className="panel" aria-label="Selections">
        <ReviewFacts zone={zone.name} state={state} standing={data.standing} />
        <ul className="review-rows">
          {devices.map((device) => (
            <ReviewRow
              key={device}
              device={device}
              state={state}
              standing={data.standing}
              isSending={sending.includes(device)}
              isBusy={isBusy}
              onEdit={() => onEdit(device)}
              onRetry={() => publish([device])}
            />
          ))}
        </ul>
      </section>
      {failed.length > 0 && (
        <div className="publish-errors" role="alert">
          {failed.map(({ devices: of, message }) => (
            <FieldError key={message}>
              {modelList(of)} could not be published. {message}
            </FieldError>
          ))}
        </div>
      )}
    </WizardFrame>
  )
}

/** Why nothing can be published now; undefined when it can. */
function unready(state: WizardState, isGone: boolean): string | undefined {
  if (isGone) return 'The zone was deleted. Go back and choose another.'
  if (state.updateTime === '') return 'Go back and set an update time first, such as 02:00.'
  const devices = configuredDevices(state)
  if (devices.length === 0) return 'Go back and tick at least one device type first.'
  const unsaved = devices.filter((device) => !isSaved(state, device))
  return unsaved.length > 0 ? `Finish the configuration of ${modelList(unsaved)} first, and save it with Next.` : undefined
}
