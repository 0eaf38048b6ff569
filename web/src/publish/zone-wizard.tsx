import { useEffect, useEffectEvent } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useSession } from '../lib/session.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { useDelayed } from '../ui/delay.ts'
import { useLeaveGuard } from '../ui/dialog/leave-guard.tsx'
import { ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { DeviceStep } from './content/device-step.tsx'
import { FirmwareStep } from './content/firmware-step.tsx'
import { type PartName, type Piece, pieceTitle, samePiece } from './draft/choices.ts'
import type { DraftOwner } from './draft/drafts.ts'
import { useFirmwareData } from './draft/firmware-data.ts'
import { useKeptDraft, useWizardStore } from './draft/wizard-store.ts'
import { ReviewStep } from './review/review-step.tsx'
import { SelectStep } from './select/select-step.tsx'
import { modelList } from './select/zone-standing.ts'
import { backward, forward, namedStep, stepName, type WizardStep } from './steps.ts'
import { hasWork, location, pageConfig, pageFirmware, pieces, unpublished, type WizardState } from './wizard.ts'
import { useZoneData } from './zone-data.ts'
import type { ZoneWizard } from './zone-wizards.ts'

/** The address of a step. */
function stepPath(step: WizardStep): string {
  const name = stepName(step)
  return name === null ? '?' : `?step=${encodeURIComponent(name)}`
}

/** The step of that name, if the state has what its page needs; throws the specification's errors (spec §5, §8). */
function reachableStep(state: WizardState, part: PartName, name: string | null): WizardStep {
  const step = namedStep(name)
  if (step.id === 'device' && part === 'config') pageConfig(state, step.device)
  if (step.id === 'aside' || (step.id === 'device' && part === 'firmware')) pageFirmware(state, step.device)
  if (step.id !== 'select') location(state)
  return step
}

/** A zone wizard. Takes up this tab's draft, so that a reload loses nothing. */
export function ZoneWizardPage({ wizard }: { wizard: ZoneWizard }) {
  useDocumentTitle(wizard.name)
  const { user } = useSession()
  const owner = { user: user?.id ?? '', organization: useOrganization(), wizard: wizard.part }
  const draft = useKeptDraft(owner)
  const isLate = useDelayed(200)
  if (!draft) return <Page>{isLate && <p role="status">Loading...</p>}</Page>
  return <WizardSteps key={`${owner.user} ${owner.organization}`} wizard={wizard} owner={owner} initial={draft} />
}

type WizardStepsProps = { wizard: ZoneWizard; owner: DraftOwner; initial: WizardState }

/** The steps of a zone wizard. The one on screen is in the address, so the browser's Back and Forward lead through them. */
function WizardSteps({ wizard, owner, initial }: WizardStepsProps) {
  const store = useWizardStore(owner, initial)
  const { state } = store
  const name = useSearchParams()[0].get('step')
  const navigate = useNavigate()
  const data = useZoneData(state.configZone)
  const firmware = useFirmwareData(store)
  const letPass = useLeaveGuard({
    isActive: hasWork(state),
    title: 'Leave without publishing?',
    question: leaveQuestion(wizard.part, state),
    onLeave: store.discard,
  })

  // Somebody may have changed the zones while another step was on screen.
  const refresh = useEffectEvent(() => {
    data.refresh()
    firmware.refresh()
  })
  useEffect(() => refresh(), [name])

  let step: WizardStep
  try {
    step = reachableStep(state, wizard.part, name)
  } catch (error) {
    return <Unreachable wizard={wizard} message={error instanceof Error ? error.message : String(error)} />
  }

  const go = (to: WizardStep) => navigate(stepPath(to))
  const props = {
    wizard,
    store,
    data,
    firmware: firmware.of,
    notice: (
      <Meanwhile
        wizard={wizard}
        zone={data.isGone ? (state.configZone?.name ?? null) : null}
        isKept={store.isKept}
        atZone={step.id === 'select'}
      />
    ),
    onNext: () => go(forward(state, wizard.part, step)),
    onBack: () => go(backward(state, wizard.part, step)),
  }

  if (step.id === 'select') return <SelectStep {...props} />
  if (step.id === 'device' && wizard.part === 'config') return <DeviceStep {...props} device={step.device} />
  if (step.id !== 'review') return <FirmwareStep {...props} device={step.device} />
  return (
    <ReviewStep
      {...props}
      onEdit={({ part, device }) => go({ id: part === wizard.part ? 'device' : 'aside', device })}
      onPublished={async (rollout) => {
        letPass()
        await store.discard()
        await navigate(wizard.success, { state: { rollout } })
      }}
    />
  )
}

function leaveQuestion(part: PartName, state: WizardState): string {
  const rest = unpublished(state)
  const names = (some: readonly Piece[]) => modelList(some.map((piece) => pieceTitle(piece, part)))
  const published = pieces(state).filter((piece) => !rest.some((each) => samePiece(each, piece)))
  const stays = published.length > 0 ? ` ${names(published)} ${published.length === 1 ? 'stays' : 'stay'} published.` : ''
  return `What you chose for ${names(rest.length > 0 ? rest : published)} is not published and will be discarded.${stays}`
}

/** What has happened while somebody was working: said on every step, nothing of theirs is lost. */
function Meanwhile({ wizard, zone, isKept, atZone }: { wizard: ZoneWizard; zone: string | null; isKept: boolean; atZone: boolean }) {
  return (
    <>
      {zone !== null && (
        <Notice kind="bad" className="mb-4">
          The zone {zone} was deleted meanwhile. Your {wizard.choices} are kept:{' '}
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
function Unreachable({ wizard, message }: { wizard: ZoneWizard; message: string }) {
  return (
    <Page>
      <PageHead title={wizard.name} />
      <Panel>
        <ErrorPanel
          message={message}
          detail={
            <ButtonLink className="mt-4" to="?">
              {wizard.select.title}
            </ButtonLink>
          }
        />
      </Panel>
    </Page>
  )
}
