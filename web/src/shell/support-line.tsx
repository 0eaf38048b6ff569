import { Phone } from 'lucide-react'
import { useSettings } from '../lib/settings.ts'
import { PhoneLink } from '../ui/button/phone-link.tsx'
import { Panel } from '../ui/layout/panel.tsx'

export function SupportLine() {
  const { supportPhone } = useSettings()
  return (
    <Panel title="Talk to an application engineer">
      <p className="text-13 text-ink-2">They can load the right configuration with you on the line.</p>
      <PhoneLink
        phone={supportPhone}
        icon={<Phone size={16} />}
        className="mt-2.5 inline-flex items-center gap-2.5 text-16 font-medium text-ink"
      />
    </Panel>
  )
}
