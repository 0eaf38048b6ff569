import { ZoneWizardPage } from './zone-wizard.tsx'
import { configureZones } from './zone-wizards.ts'

export default function ApplyConfigPage() {
  return <ZoneWizardPage wizard={configureZones} />
}
