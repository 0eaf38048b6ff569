import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import {
  Activity,
  ChartLine,
  Cpu,
  Library,
  type LucideIcon,
  MapPin,
  Package,
  ScanBarcode,
  ScanLine,
  ScanText,
  ScrollText,
  SlidersHorizontal,
} from 'lucide-react'
import { paths } from '../paths.ts'

export interface LandingAction {
  to: string
  label: string
  detail: string
  icon: LucideIcon
}

export interface LandingSubject {
  id: string
  title: string
  line: string
  model: UpdateModel
  items: readonly { label: string; to?: string }[]
  actions: readonly LandingAction[]
}

const createConfiguration: LandingAction = {
  to: paths.createConfiguration(),
  label: 'Create a Device Configuration',
  detail: 'Build a printable setup barcode, option by option',
  icon: ScanBarcode,
}

export const configure: LandingSubject = {
  id: 'configure',
  title: 'Configure Your Devices',
  line: 'Zones, configurations, firmware, saved library',
  model: 'CR2700',
  items: [
    { label: 'Manage Device Zones' },
    { label: 'Configure Zones' },
    { label: 'Manage Firmware' },
    { label: 'Access Configuration Library' },
  ],
  actions: [
    {
      to: paths.zones(),
      label: 'Manage Your Device Zones',
      detail: 'Locations, their host PCs and their location files',
      icon: MapPin,
    },
    createConfiguration,
    {
      to: paths.applyConfig(),
      label: 'Configure Zones',
      detail: 'Publish a configuration to one zone at a set time',
      icon: SlidersHorizontal,
    },
    { to: paths.manageFirmware(), label: 'Manage Firmware', detail: 'Choose a version or upload your own file', icon: Cpu },
    {
      to: paths.library(),
      label: 'Access Configuration Library',
      detail: 'Reprint or reuse saved configurations',
      icon: Library,
    },
  ],
}

export const manage: LandingSubject = {
  id: 'manage',
  title: 'Manage Your Devices',
  line: 'Status, history and who changed what',
  model: 'V4500',
  items: [
    { label: 'My Devices' },
    { label: 'Activity Stream' },
    { label: 'Device Analytics' },
    { label: 'Audit Log', to: paths.auditLog() },
  ],
  actions: [
    {
      to: paths.devices(),
      label: 'My Devices',
      detail: 'Where every reader is, what it runs, when it was last seen',
      icon: ScanLine,
    },
    { to: paths.activityStream(), label: 'Activity Stream/History', detail: 'What readers and host PCs report', icon: Activity },
    { to: paths.analytics(), label: 'Analytics', detail: 'How your readers are used', icon: ChartLine },
    { to: paths.auditLog(), label: 'View Audit Log', detail: 'Who changed what, and when', icon: ScrollText },
  ],
}

export const withoutOrganization: readonly LandingAction[] = [
  createConfiguration,
  { to: paths.readConfiguration(), label: 'Read a configuration', detail: 'See what a setup barcode does to a reader', icon: ScanText },
  { to: paths.products(), label: 'Products', detail: 'Documents, answers and settings guides of every product', icon: Package },
]
