import { configureZones } from './wizard-kinds.ts'
import { ZoneWizardPage } from './zone-wizard.tsx'

export default function ApplyConfigPage() {
  return <ZoneWizardPage wizard={configureZones} />
}
