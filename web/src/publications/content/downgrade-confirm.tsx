import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { formatNames } from '@lectern/contract/text/names.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import type { Close } from '../../ui/dialog/dialog.tsx'

export interface Downgrade {
  device: UpdateModel
  from: string
  to: string
  readers: number
}

interface DowngradeConfirmProps {
  downgrades: readonly Downgrade[]
  /** Models whose firmware could not be compared. */
  unknown: readonly UpdateModel[]
  zone: string
  close: Close<boolean>
}

export function DowngradeConfirm({ downgrades, unknown, zone, close }: DowngradeConfirmProps) {
  const title = downgrades.length > 0 ? 'Install older firmware?' : 'Publish without comparing versions?'
  return (
    <Confirm title={title} yes="Publish" close={close}>
      <div className="grid gap-3">
        {downgrades.length > 0 && (
          <ul className="grid gap-2">
            {downgrades.map(({ device, from, to, readers }) => (
              <li key={device}>
                <b>{device}</b>: from {from} back to {to} on {counted(readers, 'reader')} in {zone}.
              </li>
            ))}
          </ul>
        )}
        {unknown.length > 0 && <p>Whether the firmware for {formatNames(unknown)} is older than what readers run could not be checked.</p>}
      </div>
    </Confirm>
  )
}
