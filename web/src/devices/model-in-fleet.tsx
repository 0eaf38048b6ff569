import { type DeviceModel, UpdateModelName } from '@lectern/contract/devices/device-models.ts'
import type { ModelTotals } from '@lectern/contract/devices/devices.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { q } from '../lib/api/query.ts'
import { useScreens } from '../lib/screens.ts'
import { formatShare } from '../lib/share.ts'
import { paths, patterns } from '../paths.ts'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { devicesAddress } from './device-list.ts'

export function ModelInFleet({ organizationId, model }: { organizationId: string; model: DeviceModel }) {
  const query = useQuery(q('getModelTotals', { params: { organizationId, device: model } }))
  const canPublish = useScreens()(patterns.applyConfig) !== null && UpdateModelName.safeParse(model).success
  const devices = paths.devices(devicesAddress.write({ ...devicesAddress.first, search: model }))
  return (
    <Panel
      title="In your fleet"
      flush={!query.data}
      foot={
        query.data &&
        (query.data.readers > 0 || canPublish) && (
          <>
            {query.data.readers > 0 && (
              <Link className="link" to={devices}>
                Show these devices
              </Link>
            )}
            {canPublish && (
              <Link className="link" to={paths.applyConfig({ model })}>
                Publish to zones
              </Link>
            )}
          </>
        )
      }
    >
      <QueryStates query={query} failed="Error loading the readers">
        {(totals) =>
          totals.readers === 0 ? <p className="text-ink-2">No readers of this model yet.</p> : <DefinitionList items={listItems(totals)} />
        }
      </QueryStates>
    </Panel>
  )
}

const listItems = ({ readers, simulated, zones, latestFirmware, onLatest = 0 }: ModelTotals) => [
  [
    'Readers',
    <>
      {formatNumber(readers)}
      {simulated ? <span data-simulated> ({formatNumber(simulated)} simulated)</span> : ''}
    </>,
  ] as const,
  ['Zones', formatNumber(zones)] as const,
  ...(latestFirmware === undefined
    ? [['Latest firmware', 'None released'] as const]
    : [
        ['Latest firmware', <span className="mono">{latestFirmware}</span>] as const,
        ['On latest', formatShare(onLatest, readers)] as const,
      ]),
]
