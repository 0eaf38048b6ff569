import { UpdateModelName } from '@lectern/contract/devices/device-models.ts'
import { versionName } from '@lectern/contract/publications/version-name.ts'
import { formatNames } from '@lectern/contract/text/names.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useSession } from '../lib/session.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { useDelayed } from '../ui/delay.ts'
import { useLeaveGuard } from '../ui/dialog/leave-guard.tsx'
import { ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { formatPiece, type PartName, type Piece, samePiece } from './content/choices.ts'
import { ConfigStep, preloadConfigStep } from './content/config-step.tsx'
import { useFirmwareData } from './content/firmware-data.ts'
import { FirmwareStep } from './content/firmware-step.tsx'
import type { DraftOwner } from './draft/drafts.ts'
import { useStoredDraft, useWizardStore, type WizardStore } from './draft/wizard-store.ts'
import { ZoneChanges, type ZoneChangesProps } from './many/several-zones.tsx'
import { SelectStep } from './select/select-step.tsx'
import { getStepName, nextStep, parseStep, previousStep, type WizardStep } from './steps.ts'
import type { WizardKind } from './wizard-kinds.ts'
import { getPageConfig, getPageFirmware, getZone, hasWork, listPieces, listUnpublished, type WizardState } from './wizard-state.ts'
import { useZoneData } from './zone-data.ts'

const ReviewStep = lazyPart(async () => (await import('./review/review-step.tsx')).ReviewStep, <p role="status">Loading...</p>)

function stepPath(step: WizardStep): string {
  const name = getStepName(step)
  return name === null ? '?' : `?step=${encodeURIComponent(name)}`
}

/**
 * Returns the step of a name in the address.
 * @throws the specification's errors where the state lacks something that the step needs (spec §5, §8)
 */
function requireStep(state: WizardState, part: PartName, name: string | null): WizardStep {
  const step = parseStep(name)
  if (step.id === 'device' && part === 'config') getPageConfig(state, step.device)
  if (step.id === 'aside' || (step.id === 'device' && part === 'firmware')) getPageFirmware(state, step.device)
  if (step.id !== 'select') getZone(state)
  return step
}

export function ZoneWizardPage({ wizard }: { wizard: WizardKind }) {
  useDocumentTitle(wizard.name)
  const { user } = useSession()
  const owner = { user: user?.id ?? '', organization: useOrganization(), wizard: wizard.part }
  const draft = useStoredDraft(owner)
  const isLate = useDelayed(200)
  if (!draft) return <Page>{isLate && <p role="status">Loading...</p>}</Page>
  return <WizardSteps key={`${owner.user} ${owner.organization}`} wizard={wizard} owner={owner} initial={draft} />
}

interface WizardStepsProps {
  wizard: WizardKind
  owner: DraftOwner
  initial: WizardState
}

// Shows the step that the address has, so that the browser's Back and Forward lead through the steps.
function WizardSteps({ wizard, owner, initial }: WizardStepsProps) {
  const store = useWizardStore(owner, initial)
  const { state } = store
  const name = useSearchParams()[0].get('step')
  const navigate = useNavigate()
  const { data, firmware } = useStepData(store, name)
  const allowLeaving = useLeaveGuard({
    isActive: hasWork(state),
    title: 'Leave without publishing?',
    question: leaveQuestion(wizard.part, state),
    onLeave: store.discard,
  })

  const isGone = useFromLibrary(store)
  useModelOfAddress(store, wizard.part)
  usePreload(wizard.part === 'config' && hasWork(state))

  let step: WizardStep
  try {
    step = requireStep(state, wizard.part, name)
  } catch (error) {
    return <Unreachable wizard={wizard} message={(error as Error).message} />
  }

  const go = (to: WizardStep) => navigate(stepPath(to))
  const props = {
    wizard,
    store,
    data,
    firmware: firmware.get,
    notice: (
      <Notices
        wizard={wizard}
        zone={data.isDeleted ? state.configZone?.name : undefined}
        changed={data.changes && state.configZone ? { chosen: state.configZone, changes: data.changes } : null}
        onChoose={(zone) => store.dispatch({ type: 'zone', zone })}
        isStored={store.isStored}
        isGone={isGone}
        atZone={step.id === 'select'}
      />
    ),
    onNext: () => go(nextStep(state, wizard.part, step)),
    onBack: () => go(previousStep(state, wizard.part, step)),
  }

  if (step.id === 'select') return <SelectStep {...props} />
  if (step.id === 'device' && wizard.part === 'config') return <ConfigStep {...props} device={step.device} />
  if (step.id !== 'review') return <FirmwareStep {...props} device={step.device} />
  return (
    <ReviewStep
      {...props}
      onEdit={({ part, device }) => go({ id: part === wizard.part ? 'device' : 'aside', device })}
      onPublished={async (rollout) => {
        allowLeaving()
        await store.discard()
        await navigate(wizard.success(rollout))
      }}
    />
  )
}

function usePreload(isNeeded: boolean) {
  useEffect(ReviewStep.preload, [])
  useEffect(() => {
    if (isNeeded) preloadConfigStep()
  }, [isNeeded])
}

/** Chooses the library entry and version that the address has, for the entry's model. Returns whether the library lacks the entry. */
function useFromLibrary({ dispatch }: Pick<WizardStore, 'dispatch'>): boolean {
  const [address, setAddress] = useSearchParams()
  const id = address.get('configuration')
  const organizationId = useOrganization()
  const { data, isError } = useQuery({ ...q('getLibraryEntry', { params: { organizationId, id: id ?? '' } }), enabled: id !== null })
  const take = useEffectEvent((entry: NonNullable<typeof data>) => {
    const { data: device } = UpdateModelName.safeParse(entry.device)
    const version = entry.versions.find(({ number }) => number === Number(address.get('version')))?.number ?? entry.version
    if (device) {
      dispatch({ type: 'enable', part: 'config', device, enabled: true })
      dispatch({ type: 'edit', device, config: { type: 'saved', id: entry.id, version, name: versionName(entry.name, version) } })
      dispatch({ type: 'saveConfig', device })
    }
    setAddress({}, { replace: true })
  })
  useEffect(() => {
    if (id !== null && data?.id === id) take(data)
  }, [id, data])
  return isError && id !== null
}

/** Chooses the model that the address has. */
function useModelOfAddress({ dispatch }: Pick<WizardStore, 'dispatch'>, part: PartName): void {
  const [address, setAddress] = useSearchParams()
  const model = address.get('model')
  const take = useEffectEvent((name: string) => {
    const { data: device } = UpdateModelName.safeParse(name)
    if (device) dispatch({ type: 'enable', part, device, enabled: true })
    const { model: _, ...others } = Object.fromEntries(address)
    setAddress(others, { replace: true })
  })
  useEffect(() => {
    if (model !== null) take(model)
  }, [model])
}

// Returns the data of the steps. It is read again at each step, as zones may have changed while another one was shown.
function useStepData(store: WizardStore, step: string | null) {
  const data = useZoneData(store.state.configZone)
  const firmware = useFirmwareData(store)
  const refresh = useEffectEvent(() => {
    data.refresh()
    firmware.refresh()
  })
  useEffect(() => refresh(), [step])
  return { data, firmware }
}

function leaveQuestion(part: PartName, state: WizardState): string {
  const rest = listUnpublished(state)
  const names = (some: readonly Piece[]) => formatNames(some.map((piece) => formatPiece(piece, part)))
  const published = listPieces(state).filter((piece) => !rest.some((each) => samePiece(each, piece)))
  const stays = published.length > 0 ? ` ${names(published)} ${published.length === 1 ? 'stays' : 'stay'} published.` : ''
  return `What you chose for ${names(rest.length > 0 ? rest : published)} is not published and will be discarded.${stays}`
}

interface NoticesProps {
  wizard: WizardKind
  zone: string | undefined
  changed: Pick<ZoneChangesProps, 'chosen' | 'changes'> | null
  onChoose: ZoneChangesProps['onChoose']
  isStored: boolean
  isGone: boolean
  atZone: boolean
}

const Notices = ({ wizard, zone, changed, onChoose, isStored, isGone, atZone }: NoticesProps) => (
  <>
    {changed && <ZoneChanges {...changed} onChoose={onChoose} />}
    {zone !== undefined && (
      <Notice kind="bad" className="mb-4">
        The zone {zone} was deleted. Your {wizard.choices} are still here:{' '}
        {atZone ? 'choose another zone' : <Link to="?">choose another zone</Link>}.
      </Notice>
    )}
    {isGone && (
      <Notice kind="warn" className="mb-4">
        This configuration is no longer in the library. Choose another one.
      </Notice>
    )}
    {!isStored && (
      <Notice kind="warn" className="mb-4">
        This browser does not store what you choose here: a reload loses it.
      </Notice>
    )}
  </>
)

function Unreachable({ wizard, message }: { wizard: WizardKind; message: string }) {
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
