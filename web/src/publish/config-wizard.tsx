import type { UpdateModel } from '@lectern/contract/device-models.ts'
import { useEffect } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { ButtonLink } from '../ui/button-link.tsx'
import { ErrorPanel } from '../ui/empty-state.tsx'
import { useLeaveGuard } from '../ui/leave-guard.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page, PageHead } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import { DeviceStep } from './device-step.tsx'
import type { DraftOwner } from './drafts.ts'
import { ReviewStep } from './review-step.tsx'
import { SelectStep } from './select-step.tsx'
import { backward, forward, namedStep, stepName, type WizardStep } from './steps.ts'
import { configuredDevices, hasWork, location, pageConfig, type WizardState } from './wizard.ts'
import { useWizardStore } from './wizard-store.ts'
import { useZoneData } from './zone-data.ts'
import { modelList } from './zone-standing.ts'

const frame = { wizard: 'Configure Zones', stages: { select: 'Select Zone and Devices', device: 'Configure devices', review: 'Review' } }

/** The address of a step. */
function addressOf(step: WizardStep): string {
  const name = stepName(step)
  return name === null ? '?' : `?step=${encodeURIComponent(name)}`
}

/** The step of that name, if the state has what its page needs; throws the specification's errors (spec §5, §8). */
function reachableStep(state: WizardState, name: string | null): WizardStep {
  const step = namedStep(name)
  if (step.id === 'device') pageConfig(state, step.device)
  if (step.id !== 'select') location(state)
  return step
}

/** The Configure Zones wizard. Its step is in the address, so the browser's Back and Forward lead through it. */
export function ConfigWizard({ owner, initial }: { owner: DraftOwner; initial: WizardState }) {
  const store = useWizardStore(owner, initial)
  const { state } = store
  const name = useSearchParams()[0].get('step')
  const navigate = useNavigate()
  const data = useZoneData(state.configZone)
  const letPass = useLeaveGuard({
    isActive: hasWork(state),
    title: 'Leave without publishing?',
    question: leaveQuestion(state),
    onLeave: store.discard,
  })

  // Somebody may have changed the zones while another step was on screen.
  const { refresh } = data
  useEffect(() => refresh(), [name])

  let step: WizardStep
  try {
    step = reachableStep(state, name)
  } catch (error) {
    return <Unreachable message={error instanceof Error ? error.message : String(error)} />
  }

  const go = (to: WizardStep) => navigate(addressOf(to))
  const props = {
    store,
    data,
    frame,
    notice: <Meanwhile zone={data.isGone ? (state.configZone?.name ?? null) : null} isKept={store.isKept} atZone={step.id === 'select'} />,
    onNext: () => go(forward(state, step)),
    onBack: () => go(backward(state, step)),
  }

  if (step.id === 'select') return <SelectStep {...props} />
  if (step.id === 'device') return <DeviceStep {...props} device={step.device} />
  return (
    <ReviewStep
      {...props}
      onEdit={(device: UpdateModel) => go({ id: 'device', device })}
      onPublished={async () => {
        letPass()
        await store.discard()
        await navigate('/codedm/config-success')
      }}
    />
  )
}

function leaveQuestion(state: WizardState): string {
  const devices = configuredDevices(state)
  const published = devices.filter((device) => state.attempts[device]?.outcome?.published)
  const rest = devices.filter((device) => !published.includes(device))
  const stays = published.length > 0 ? ` ${modelList(published)} stays published.` : ''
  return `What you chose for ${modelList(rest.length > 0 ? rest : devices)} is not published and will be discarded.${stays}`
}

/** What has happened while somebody was working: said on every step, nothing of theirs is lost. */
function Meanwhile({ zone, isKept, atZone }: { zone: string | null; isKept: boolean; atZone: boolean }) {
  return (
    <>
      {zone !== null && (
        <Notice kind="bad" className="mb-4">
          The zone {zone} was deleted meanwhile. Your configurations are kept:{' '}
          {atZone ? 'choose another zone' : <Link to="?">choose another zone</Link>}.
        </Notice>
      )}
      {!isKept && (
        <Notice kind="warn" className="mb-4">
          This browser does not keep what you choose here: a reload would lose it.
        </Notice>
      )}
    </>
  )
}

/** A step that cannot be shown, e.g. from an old bookmark. */
function Unreachable({ message }: { message: string }) {
  return (
    <Page>
      <PageHead title={frame.wizard} />
      <Panel>
        <ErrorPanel
          message={message}
          detail={
            <ButtonLink className="mt-4" to="?">
              Select Zone and Devices
            </ButtonLink>
          }
        />
      </Panel>
    </Page>
  )
}
