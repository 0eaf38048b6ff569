import { useOrganization } from '../lib/active-organization.ts'
import { usePermission } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'

export function TagZonesButton() {
  const { open } = useDialog()
  const organizationId = useOrganization()
  if (!usePermission('manage:firmware')) return null
  async function tag() {
    const chosen = await open<{ zones: readonly { id: string }[] }>(async (close) => {
      const { ZonePicker } = await import('../publications/many/zone-picker.tsx')
      return <ZonePicker organizationId={organizationId} chosen={undefined} close={close} />
    })
    if (!chosen) return
    await open<void>(async (close) => {
      const { TagZones } = await import('./tag-zones.tsx')
      return <TagZones organizationId={organizationId} zones={chosen.zones.map(({ id }) => id)} close={close} />
    })
  }
  return (
    <Button small onClick={() => void tag()}>
      Tag several zones
    </Button>
  )
}
