import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import type { ModelTotals } from '@lectern/contract/devices/devices.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { q } from '../lib/api/query.ts'
import { share } from '../lib/share.ts'
import { paths } from '../paths.ts'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { firstList, withText, writeList } from './device-list.ts'
import { UnreadPanel } from './unread-panel.tsx'

/** How many readers of a model the organization has, and the way to them. */
export function ModelInFleet({ organizationId, model }: { organizationId: string; model: DeviceModel }) {
  const { data, error, refetch, isFetching } = useQuery(q('getModelTotals', { params: { organizationId, device: model } }))
  const title = 'In your fleet'
  if (!data) return <UnreadPanel title={title} what="readers" query={{ error, isFetching, refetch }} />
  if (data.readers === 0)
    return (
      <Panel title={title}>
        <p className="text-ink-2">No readers of this model yet.</p>
      </Panel>
    )
  return (
    <Panel
      title={title}
      foot={
        <Link className="link" to={paths.devices(writeList(withText(firstList, model)))}>
          Show these devices
        </Link>
      }
    >
      <DefinitionList items={listItems(data)} />
    </Panel>
  )
}

const listItems = ({ readers, zones, latestFirmware, onLatest = 0 }: ModelTotals) => [
  ['Readers', formatNumber(readers)] as const,
  ['Zones', formatNumber(zones)] as const,
  ...(latestFirmware === undefined
    ? [['Latest firmware', 'None released'] as const]
    : [['Latest firmware', <span className="mono">{latestFirmware}</span>] as const, ['On latest', share(onLatest, readers)] as const]),
]
