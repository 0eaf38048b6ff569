import { useOrganization } from '../../lib/active-organization.ts'
import { Button } from '../../ui/button/button.tsx'
import { useDialog } from '../../ui/dialog/dialog.tsx'
import { type ConfigZone, toConfigZone } from '../wizard.ts'
import { formatFilter, type ManyZones } from './chosen-zones.ts'

interface SeveralZonesProps {
  chosen: ConfigZone | null
  onChoose: (zone: ConfigZone | null) => void
}

/** Beside the choice of one zone. */
export function SeveralZones({ chosen, onChoose }: SeveralZonesProps) {
  const { open } = useDialog()
  const organizationId = useOrganization()
  async function choose() {
    const answer = await open<ManyZones>(async (close) => {
      const { ZonePicker } = await import('./zone-picker.tsx')
      return <ZonePicker organizationId={organizationId} chosen={chosen?.many} close={close} />
    })
    if (answer) onChoose(toConfigZone(answer))
  }
  return (
    <span className="flex flex-wrap gap-4">
      <Button variant="link" onClick={() => void choose()}>
        {chosen?.many ? 'Change the zones' : 'Choose several zones'}
      </Button>
      {chosen?.many && (
        <Button variant="link" onClick={() => onChoose(null)}>
          Choose one zone instead
        </Button>
      )}
    </span>
  )
}

export const describeMany = ({ name, many }: ConfigZone): string => (many?.filter ? `${name}: ${formatFilter(many.filter)}` : name)
