import { ZoneWizardPage } from './zone-wizard.tsx'
import { manageFirmware } from './zone-wizards.ts'

/** `/codedm/manage-firmware`. */
export default function ManageFirmwarePage() {
  return <ZoneWizardPage wizard={manageFirmware} />
}
