import { ZoneWizardPage } from './zone-wizard.tsx'
import { manageFirmware } from './zone-wizards.ts'

export default function ManageFirmwarePage() {
  return <ZoneWizardPage wizard={manageFirmware} />
}
