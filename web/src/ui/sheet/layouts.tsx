import { ArrowLeft, ArrowRight } from 'lucide-react'
import { Avatar } from '../avatar.tsx'
import { Bars, Wordmark } from '../bars.tsx'
import { Button } from '../button/button.tsx'
import { ActionFoot } from '../layout/action-foot.tsx'
import { Panel } from '../layout/panel.tsx'
import { WizardBar } from '../layout/stepper.tsx'
import { BackStrip, Strip } from '../layout/strip.tsx'
import { ReaderDrawing } from '../reader-drawing.tsx'

const models = ['CR1100', 'CR2700', 'A271/2', 'CR1500', 'CR5200', 'V1300', 'V4500', 'CR8200', 'CR950']
const steps = [
  { id: 'select', label: 'Select Zone and Devices' },
  { id: 'configure', label: 'Configure devices' },
  { id: 'review', label: 'Review' },
]

export function DrawingSection() {
  return (
    <Panel title="Drawings, motif, avatars" className="sheet-12">
      <div className="sheet-row justify-between">
        {models.map((model) => (
          <span key={model} className="text-center">
            <ReaderDrawing model={model} />
            <b>{model}</b>
          </span>
        ))}
        <ReaderDrawing model="CR2700" width={44} weight="small" />
        <ReaderDrawing model="CR2700" width={220} weight="large" />
        <Wordmark />
        <Bars symbol="LECTERN" module={2} height={14} className="text-rule-2" />
        <Avatar name="Northfield Manager" />
        <Avatar name="Northfield Manager" size="medium" />
        <Avatar name="" />
      </div>
    </Panel>
  )
}

export function BarSection() {
  return (
    <div className="sheet-12 sheet-stack">
      <Strip
        label="Device Management"
        tabs={[
          { to: '/codedm', label: 'Overview' },
          { to: '/', label: 'Devices' },
          { to: '/zones', label: 'Zones' },
        ]}
        end="Updated 09:42"
      />
      <BackStrip to="/products" label="All products" />
      <WizardBar
        label="Configure Zones progress"
        back={{ to: '/codedm', label: 'Device Management Home' }}
        steps={steps}
        active="configure"
      />
      <ActionFoot
        back={<Button icon={ArrowLeft}>Back</Button>}
        summary={
          <>
            <b>83 readers</b> in ICU 3 North at <b>02:00</b>
          </>
        }
      >
        <Button variant="ghost">Cancel</Button>
        <Button variant="primary" iconAfter={ArrowRight}>
          Next
        </Button>
      </ActionFoot>
    </div>
  )
}
