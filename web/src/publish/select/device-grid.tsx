import { type UpdateModel, updateModels } from '@lectern/contract/devices/device-models.ts'
import { Info } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { Checkbox } from '../../ui/input/checkbox.tsx'
import { ReaderDrawing } from '../../ui/reader-drawing.tsx'
import { inZone, type ZoneStanding } from './zone-standing.ts'

type DeviceGridProps = {
  labelledBy: string
  describedBy: string
  ticked: readonly UpdateModel[]
  standing: ZoneStanding | undefined
  /** Whether a zone is chosen: without one nothing is counted. */
  hasZone: boolean
  /** What is said of the models that are not here. */
  note: string
  onTick: (model: UpdateModel, ticked: boolean) => void
}

/** The models that take updates through a zone, to be ticked, in a grid of 6 columns (spec §2, §9). */
export function DeviceGrid({ labelledBy, describedBy, ticked, standing, hasZone, note, onTick }: DeviceGridProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: its label stands in a column of its own, where a legend cannot
    <div className="device-grid" role="group" aria-labelledby={labelledBy} aria-describedby={describedBy}>
      {updateModels.map((model) => (
        <Checkbox
          key={model}
          className={classNames('device-tile', standing?.of(model) === 0 && 'device-tile-none')}
          checked={ticked.includes(model)}
          onChange={(event) => onTick(model, event.target.checked)}
        >
          <ReaderDrawing model={model} />
          <b>{model}</b>
          <small>{hasZone ? inZone(standing, model) : ' '}</small>
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
