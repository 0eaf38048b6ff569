import { type UpdateModel, updateModels } from '@lectern/contract/devices/device-models.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { DefinitionList } from '../../ui/layout/definition-list.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import type { WizardKind } from '../wizard-kinds.ts'
import { chosenModels, type WizardState } from '../wizard-state.ts'
import { countReaders, formatReaders, type ZoneSummary } from '../zone-summary.ts'

interface UpdateSummaryProps {
  wizard: WizardKind
  zone: string | undefined
  state: WizardState
  summary: ZoneSummary | undefined
}

export function UpdateSummary({ wizard, zone, state, summary }: UpdateSummaryProps) {
  const devices = chosenModels(state, wizard.part)
  const readers = summary ? `${formatNumber(countReaders(summary, devices) ?? 0)} of ${formatNumber(summary.readers)}` : 'Not known'
  return (
    <Panel title="This update">
      <DefinitionList
        items={[
          ['Zone', zone ?? 'Not set'],
          ['Models', `${devices.length} of ${updateModels.length}`],
          ['Readers', readers],
        ]}
      />
      {devices.length > 0 && (
        <ul className="update-devices">
          {devices.map((device) => (
            <li key={device}>
              <b>{device}</b>
              <span>{summary ? formatReaders(summary, [device]) : 'Not known'}</span>
              {wizard.part === 'config' && <SavedName state={state} device={device} />}
            </li>
          ))}
        </ul>
      )}
      <Notice className="mt-4">Readers keep their current {wizard.noun} until they update, silent ones later.</Notice>
    </Panel>
  )
}

/** Shows the name of the configuration that was chosen in the library. */
function SavedName({ state, device }: { state: WizardState; device: UpdateModel }) {
  const choice = state.devices[device]?.config?.choice
  return choice?.type === 'saved' && choice.name !== null && <span className="update-saved">{choice.name}</span>
}
