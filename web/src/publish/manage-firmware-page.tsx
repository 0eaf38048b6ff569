import { ZoneWizardPage } from './zone-wizard.tsx'
import { manageFirmware } from './zone-wizards.ts'

/** `/codedm/manage-firmware`: the Manage Firmware wizard. */
export default function ManageFirmwarePage() {
  return <ZoneWizardPage wizard={manageFirmware} />
}
