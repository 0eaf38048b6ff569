import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { Check } from 'lucide-react'
import { classNames } from '../../ui/class-names.ts'
import { ReaderDrawing } from '../../ui/reader-drawing.tsx'
import type { ZoneStanding } from '../select/zone-standing.ts'

type DeviceTabsProps = {
  devices: readonly UpdateModel[]
  current: UpdateModel
  /** What a model's tab says once its page is done, such as "Saved"; undefined before. */
  mark: (device: UpdateModel) => string | undefined
  standing: ZoneStanding | undefined
}

/** Which model this page is about, and which are done. It reports progress; only Next leads on. */
export function DeviceTabs({ devices, current, mark, standing }: DeviceTabsProps) {
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
            <small>{counted(standing?.of(device), 'reader')}</small>
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
