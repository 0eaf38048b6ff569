import { manageFirmware } from './wizard-kinds.ts'
import { ZoneWizardPage } from './zone-wizard.tsx'

export default function ManageFirmwarePage() {
  return <ZoneWizardPage wizard={manageFirmware} />
}
