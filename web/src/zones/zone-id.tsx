import type { Zone } from '@lectern/contract/zones.ts'
import { Copy } from 'lucide-react'
import { useToast } from '../ui/feedback/toast.tsx'
import { shortName } from './zone-row.ts'

/** A zone's id, whole. Pressing it copies it; where the browser forbids that, a click selects it. */
export function ZoneId({ zone }: { zone: Zone }) {
  const toast = useToast()
  // Browsers keep the clipboard from pages that came over plain HTTP.
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (!clipboard) return <span className="mono select-all text-ink-2">{zone.id}</span>

  async function copy() {
    try {
      await clipboard?.writeText(zone.id)
      toast({ title: 'Zone ID copied', detail: shortName(zone.name) })
    } catch {
      toast({ title: 'Zone ID not copied', detail: `The browser did not allow it. Select it by hand: ${zone.id}`, bad: true })
    }
  }
  return (
    <button
      type="button"
      className="mono group relative text-left text-ink-2 hover:text-ink max-sm:min-h-11"
      title="Copy zone ID"
      aria-label={`Copy zone ID ${zone.id} of ${zone.name}`}
      onClick={copy}
    >
      {zone.id}
      <Copy
        size={13}
        className="absolute top-1/2 left-full ml-1 -translate-y-1/2 opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100 pointer-coarse:opacity-100"
      />
    </button>
  )
}
