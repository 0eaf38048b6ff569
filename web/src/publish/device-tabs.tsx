import type { UpdateModel } from '@lectern/contract/device-models.ts'
import { Check } from 'lucide-react'
import { classNames } from '../ui/class-names.ts'
import { ReaderDrawing } from '../ui/reader-drawing.tsx'
import { counted, type ZoneStanding } from './zone-standing.ts'

type DeviceTabsProps = {
  devices: readonly UpdateModel[]
  current: UpdateModel
  isSaved: (device: UpdateModel) => boolean
  standing: ZoneStanding | undefined
}

/** Which model this page is about, and which have been saved. It reports progress; only Next leads on. */
export function DeviceTabs({ devices, current, isSaved, standing }: DeviceTabsProps) {
  return (
    <ol className="device-tabs" aria-label="Devices in this update">
      {devices.map((device) => (
        <li
          key={device}
          className={classNames('device-tab', isSaved(device) && 'device-tab-saved')}
          aria-current={device === current ? 'step' : undefined}
        >
          <ReaderDrawing model={device} width={44} weight="small" />
          <span className="device-tab-name">
            <b>{device}</b>
            <small>{counted(standing?.of(device), 'reader')}</small>
          </span>
          {isSaved(device) && (
            <span className="device-tab-mark">
              <Check size={14} />
              Saved
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
