import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import type { RunningFirmware } from '@lectern/contract/firmware/firmware.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { DefinitionList } from '../../ui/layout/definition-list.tsx'
import { Panel } from '../../ui/layout/panel.tsx'

type RunningVersionsProps = { device: UpdateModel; zone: string; running: readonly RunningFirmware[] | undefined }

/** What the readers of a model run now; nothing while that is not known. */
export function RunningVersions({ device, zone, running }: RunningVersionsProps) {
  if (!running) return null
  return (
    <Panel className="running-versions" title={`${device} now`}>
      {running.length === 0 ? (
        <p>
          No {device} in {zone} has reported its firmware yet.
        </p>
      ) : (
        <DefinitionList items={running.map(({ version, count }) => [version, counted(count, 'reader')])} />
      )}
    </Panel>
  )
}
