import { withFollowUp } from '@lectern/contract/cases/follow-ups.ts'
import type { Database } from '../lib/database/database.ts'
import { insertCases } from './sql.ts'

const staff = 'staff@quietzone.example'
const hour = 3_600_000

interface DemoCase {
  contact: string
  hoursAgo: number
  subject: string
  description: string
  status: string
  priority: string
  reason: string
  model: string
  plan?: string
  followUps?: readonly (readonly [hoursLater: number, by: string, text: string])[]
}

const manager = 'manager@northfield.example'
const cases: readonly DemoCase[] = [
  {
    contact: manager,
    hoursAgo: 900,
    subject: 'Wristbands do not read in the dark',
    description: 'At night the CR2700 needs three or four tries for a wristband. By day it reads at once.',
    status: 'Closed',
    priority: 'Medium',
    reason: 'Performance',
    model: 'CR2700',
    plan: 'Raise the illumination, then compare two wards for a week.',
    followUps: [
      [5, staff, 'Please raise the illumination in the configuration of that zone, and publish it to ICU 3 North first.'],
      [170, manager, 'A week later: no second tries any more. Thank you.'],
    ],
  },
  {
    contact: manager,
    hoursAgo: 50,
    subject: 'Charging station stays dark',
    description: 'One of four charging stations in Receiving Dock shows no light. We changed the power supply, with no effect.',
    status: 'Working',
    priority: 'High',
    reason: 'Breakdown',
    model: 'CR5200',
    plan: 'A replacement is on its way.',
    followUps: [[3, staff, 'A replacement leaves today. Please keep the old station until it has arrived.']],
  },
  {
    contact: 'member@northfield.example',
    hoursAgo: 20,
    subject: 'Which barcode turns the beeper down',
    description: 'The night shift asks for a quieter beep on the V1300.',
    status: 'New',
    priority: 'Low',
    reason: 'Other',
    model: 'V1300',
  },
  {
    contact: 'manager@harborline.example',
    hoursAgo: 6,
    subject: 'Readers lose their zone after a restart of the PC',
    description: 'After the Windows update, the host PC of Cold Store shows no readers until a user signs in.',
    status: 'Escalated',
    priority: 'High',
    reason: 'Installation',
    model: 'CR1500',
    followUps: [[1, staff, 'Our engineers look into it. Until then, let the host PC sign in by itself.']],
  },
]

export async function seedCases(db: Database, now: Date): Promise<void> {
  const rows = cases.map(({ contact, hoursAgo, description, plan = '', followUps = [], ...rest }) => {
    const opened = now.getTime() - hoursAgo * hour
    return {
      ...rest,
      contact_email: contact,
      action_plan: plan,
      origin: 'Web',
      created_at: new Date(opened),
      description: followUps.reduce(
        (text, [later, by, followUp]) => withFollowUp(text, { at: new Date(opened + later * hour), by, text: followUp }),
        description,
      ),
    }
  })
  await insertCases(db, rows)
}
