import { updateModels } from '@lectern/contract/device-models.ts'
import { DefinitionList } from '../ui/definition-list.tsx'
import { Notice } from '../ui/notice.tsx'
import { Panel } from '../ui/panel.tsx'
import { chosenDevices, type WizardState } from './wizard.ts'
import { counted, readersOf, type ZoneStanding } from './zone-standing.ts'
import type { ZoneWizard } from './zone-wizards.ts'

/** What is being put together: zone, models, readers, time. */
export function UpdateSummary({
  wizard,
  zone,
  state,
  standing,
}: {
  wizard: ZoneWizard
  zone: string | undefined
  state: WizardState
  standing: ZoneStanding | undefined
}) {
  const devices = chosenDevices(state, wizard.part)
  const readers = standing
    ? `${readersOf(standing, devices)?.toLocaleString('en-US')} of ${standing.readers.toLocaleString('en-US')}`
    : 'Not known'
  return (
    <Panel title="This update">
      <DefinitionList
        items={[
          ['Zone', zone ?? 'Not set'],
          ['Device types', `${devices.length} of ${updateModels.length}`],
          ['Readers', readers],
          ['Update time', state.updateTime || 'Not set'],
        ]}
      />
      {devices.length > 0 && (
        <ul className="update-devices">
          {devices.map((device) => (
            <li key={device}>
              <b>{device}</b>
              <span>{counted(standing?.of(device), 'reader')}</span>
            </li>
          ))}
        </ul>
      )}
      <Notice className="mt-4">
        Readers keep their current {wizard.noun} until {state.updateTime || 'the update time'}. One that is offline updates when it next
        checks in.
      </Notice>
    </Panel>
  )
}
