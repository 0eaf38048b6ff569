import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { Check } from 'lucide-react'
import { classNames } from '../../ui/class-names.ts'
import { ReaderDrawing } from '../../ui/reader-drawing.tsx'
import type { ZoneSummary } from '../select/zone-summary.ts'

interface DeviceTabsProps {
  devices: readonly UpdateModel[]
  current: UpdateModel
  /** The text of a model's tab once its page is done, such as "Saved". */
  mark: (device: UpdateModel) => string | undefined
  summary: ZoneSummary | undefined
}

/** Shows progress; only Next leads to another page. */
export function DeviceTabs({ devices, current, mark, summary }: DeviceTabsProps) {
  return (
    <ol className="device-tabs" aria-label="Devices in this update">
      {devices.map((device) => (
        <li
          key={device}
          className={classNames('device-tab', mark(device) && 'device-tab-done')}
          aria-current={device === current ? 'step' : undefined}
        >
          <ReaderDrawing model={device} width={44} weight="small" />
          <span className="device-tab-name">
            <b>{device}</b>
            <small>{counted(summary?.count(device), 'reader')}</small>
          </span>
          {mark(device) && (
            <span className="device-tab-mark">
              <Check size={14} />
              <span>{mark(device)}</span>
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
