import './support-line.css'
import { Phone } from 'lucide-react'
import { useSettings } from '../lib/settings.ts'
import { Panel } from '../ui/layout/panel.tsx'

/** The phone line of the vendor's application engineers (spec §1). */
export function SupportLine() {
  const { supportPhone } = useSettings()
  return (
    <Panel className="support-line" title="Talk to an application engineer">
      <p>They can load the right configuration with you on the line.</p>
      <a href={`tel:${supportPhone.replace(/[^\d+]/g, '')}`}>
        <Phone size={16} />
        {supportPhone}
      </a>
    </Panel>
  )
}
