import { updateModels } from '@lectern/contract/devices/device-models.ts'
import { counted, formatNumber } from '@lectern/contract/text/numbers.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { DefinitionList } from '../../ui/layout/definition-list.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { countReaders, type ZoneStanding } from '../select/zone-standing.ts'
import { chosenDevices, type WizardState } from '../wizard.ts'
import type { ZoneWizard } from '../zone-wizards.ts'

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
    ? `${countReaders(standing, devices)?.toLocaleString('en-US')} of ${formatNumber(standing.readers)}`
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
