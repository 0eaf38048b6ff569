import { counted } from '@lectern/contract/text/numbers.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import './select-step.css'
import { ArrowRight } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import { useNow } from '../../lib/now.ts'
import { useIsLimited } from '../../lib/session.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { Brief } from '../../ui/feedback/brief.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Select } from '../../ui/input/select.tsx'
import type { PartName } from '../content/choices.ts'
import { describeMany, SeveralZones } from '../many/several-zones.tsx'
import type { StepProps } from '../step-props.ts'
import { WizardFrame } from '../wizard-frame.tsx'
import { type ConfigZone, chosenModels, isTimeMissing, type WizardState } from '../wizard-state.ts'
import type { ZoneData } from '../zone-data.ts'
import { formatReaders } from '../zone-summary.ts'
import { DeviceGrid } from './device-grid.tsx'
import { formatRuns, formatStart } from './planned-run.ts'
import { SelectRow } from './select-row.tsx'
import { UpdateSummary } from './update-summary.tsx'
import { UpdateTime } from './update-time.tsx'

export function SelectStep({ wizard, store, data, notice, onNext }: StepProps) {
  const { state, dispatch } = store
  const zone = data.isDeleted ? null : state.configZone
  const summary = zone ? data.summary : undefined
  function next() {
    dispatch({ type: 'planned', at: Date.now() })
    onNext()
  }
  return (
    <WizardFrame
      wizard={wizard}
      stage="select"
      title={wizard.select.title}
      intro={wizard.select.intro}
      notice={notice}
      rail={<UpdateSummary wizard={wizard} zone={zone?.name} state={state} summary={summary} />}
      summary={<Summary part={wizard.part} state={state} data={data} />}
      actions={
        <>
          <ButtonLink variant="ghost" to={paths.deviceManagement()}>
            Cancel
          </ButtonLink>
          <Button variant="primary" iconAfter={ArrowRight} disabledReason={explainNoNext(wizard.part, state, data)} onClick={next}>
            Next
          </Button>
        </>
      }
    >
      <div className="panel">
        <Zones data={data} chosen={zone} onChoose={(chosen) => dispatch({ type: 'zone', zone: chosen })} />
        <Devices wizard={wizard} store={store} data={data} hasZone={zone !== null} />
        <UpdateTime store={store} summary={summary} hasZone={zone !== null} />
      </div>
    </WizardFrame>
  )
}

/** Says why Next cannot be used; undefined where it can (spec §5). */
function explainNoNext(part: PartName, state: WizardState, { isDeleted, changes }: ZoneData): string | undefined {
  if (!state.configZone || isDeleted) return 'Choose a zone first.'
  if (changes) return 'Look at the zones first: they have changed.'
  if (isTimeMissing(state)) return 'Set an update time first, such as 02:00.'
  if (chosenModels(state, part).length === 0) return 'Tick at least one model first.'
  return undefined
}

function Summary({ part, state, data }: { part: PartName; state: WizardState; data: ZoneData }) {
  const now = useNow()
  const reason = explainNoNext(part, state, data)
  if (reason) return reason
  const start = formatStart(state, data.summary, now)
  return (
    <>
      <b>{formatReaders(data.summary, chosenModels(state, part))}</b> in {state.configZone?.name},{' '}
      {state.when === 'now' ? start : <Brief whole={formatRuns(state, data.summary, now).join('\n')}>{start}</Brief>}
    </>
  )
}

interface ZonesProps {
  data: ZoneData
  chosen: ConfigZone | null
  onChoose: (zone: ConfigZone | null) => void
}

function Zones({ data, chosen, onChoose }: ZonesProps) {
  const id = useId()
  const { zones, problem, isDeleted } = data
  const isLimited = useIsLimited()
  if (!zones && problem) return problem
  if (zones?.length === 0)
    return (
      <EmptyState action={<Link to={paths.zones()}>Manage Your Device Zones</Link>}>
        {isLimited ? 'Your role has no zone any more.' : 'There is no zone yet. Create one first.'}
      </EmptyState>
    )
  return (
    <SelectRow
      label={
        <>
          {chosen?.many ? <b>Zones</b> : <label htmlFor={`${id}-zone`}>Zone</label>}
          <span>{chosen?.many ? 'Locations or workflows' : 'One location or workflow'}</span>
        </>
      }
    >
      {chosen?.many ? (
        <p>
          <b>{describeMany(chosen, isLimited)}</b>
        </p>
      ) : (
        <Select
          id={`${id}-zone`}
          className="zone-select"
          aria-describedby={`${id}-hint`}
          aria-invalid={isDeleted}
          options={(zones ?? []).map(({ id: value, name }) => ({ value, label: name }))}
          value={chosen?.id}
          onChange={(value) => {
            const zone = zones?.find((each) => each.id === value)
            if (zone) onChoose({ id: zone.id, name: zone.name })
          }}
          placeholder={zones ? 'Choose a zone' : 'Loading...'}
          disabled={!zones}
        />
      )}
      <p className="field-hint" id={`${id}-hint`}>
        <ZoneHint data={data} isChosen={chosen !== null} />
      </p>
      {(zones?.length ?? 0) > 1 && <SeveralZones chosen={chosen} onChoose={onChoose} />}
    </SelectRow>
  )
}

function ZoneHint({ data, isChosen }: { data: ZoneData; isChosen: boolean }) {
  const { summary, summaryProblem, refresh } = data
  if (summaryProblem)
    return (
      <>
        Readers and host PCs could not be counted. {summaryProblem.message}{' '}
        <Button variant="link" onClick={refresh}>
          Try Again
        </Button>
      </>
    )
  if (!isChosen || !summary) return ' '
  const { readers, hosts, online, simulated } = summary
  return (
    <>
      {`${counted(readers, 'reader')}. ${hosts === 0 ? 'No host PC yet.' : `${online} of ${counted(hosts, 'host PC')} online.`}`}{' '}
      {simulated && <Badge kind="simulated">Simulated</Badge>}
    </>
  )
}

interface DevicesProps extends Pick<StepProps, 'wizard' | 'store' | 'data'> {
  hasZone: boolean
}

function Devices({ wizard: { part, select }, store: { state, dispatch }, data, hasZone }: DevicesProps) {
  const id = useId()
  return (
    <SelectRow
      label={
        <>
          <b id={`${id}-devices`}>Devices</b>
          <span id={`${id}-hint`}>Each ticked type gets its own page next</span>
        </>
      }
    >
      <DeviceGrid
        labelledBy={`${id}-devices`}
        describedBy={`${id}-hint`}
        ticked={chosenModels(state, part)}
        summary={hasZone ? data.summary : undefined}
        hasZone={hasZone && data.summaryProblem === null}
        note={select.otherModels}
        onTick={(device, enabled) => {
          dispatch({ type: 'enable', part, device, enabled })
          // Firmware that was added in the review is removed with the model's configuration.
          if (part === 'config' && !enabled) dispatch({ type: 'enable', part: 'firmware', device, enabled })
        }}
      />
    </SelectRow>
  )
}
