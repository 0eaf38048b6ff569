import { type UpdateModel, updateModels } from '@lectern/contract/devices/device-models.ts'
import { Info } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { Checkbox } from '../../ui/input/checkbox.tsx'
import { ReaderDrawing } from '../../ui/reader-drawing.tsx'
import { formatInZone, type ZoneSummary } from '../zone-summary.ts'

interface DeviceGridProps {
  labelledBy: string
  describedBy: string
  ticked: readonly UpdateModel[]
  summary: ZoneSummary | undefined
  hasZone: boolean
  note: string
  onTick: (model: UpdateModel, ticked: boolean) => void
}

export function DeviceGrid({ labelledBy, describedBy, ticked, summary, hasZone, note, onTick }: DeviceGridProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: its label is in another column, where a legend cannot be
    <div className="device-grid" role="group" aria-labelledby={labelledBy} aria-describedby={describedBy}>
      {updateModels.map((model) => (
        <Checkbox
          key={model}
          className={classNames('device-tile', summary?.count(model) === 0 && 'device-tile-none')}
          checked={ticked.includes(model)}
          onChange={(event) => onTick(model, event.target.checked)}
        >
          <ReaderDrawing model={model} />
          <b>{model}</b>
          <small>{hasZone ? formatInZone(summary, model) : ' '}</small>
        </Checkbox>
      ))}
      <p className="device-grid-note">
        <Info size={16} />
        <span>
          {note} <Link to={paths.createConfiguration()}>Create a Device Configuration</Link>
        </span>
      </p>
    </div>
  )
}
