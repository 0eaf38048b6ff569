import { Copy, Download, Send, Trash2 } from 'lucide-react'
import { Button } from '../button/button.tsx'
import { ButtonLink } from '../button/button-link.tsx'
import { IconButton } from '../button/icon-button.tsx'
import { Panel } from '../layout/panel.tsx'

const colours =
  'ink ink-2 ink-3 graphite surface surface-2 canvas well rule rule-2 rule-ctl accent accent-2 accent-soft ok ok-mark ok-soft warn warn-mark warn-soft bad bad-mark bad-soft invalid-bg invalid-line'

export function ColourSection() {
  return (
    <Panel title="Colour" className="sheet-12">
      <ul className="sheet-colours">
        {colours.split(' ').map((name) => (
          <li key={name}>
            <span style={{ background: `var(--${name})` }} />
            <b>{name}</b>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

export function TypeSection() {
  return (
    <Panel title="Type" className="sheet-6">
      <div className="sheet-type">
        <p className="text-34 font-medium tracking-[-.02em] leading-[1.1]">
          4,218 <span className="text-12 text-ink-3">34 metric</span>
        </p>
        <p className="text-26 font-semibold leading-tight">
          Device Dashboard <span className="text-12 text-ink-3">26 page title</span>
        </p>
        <p className="heading-2">
          Save configuration <span className="text-12 text-ink-3">20 section</span>
        </p>
        <p className="heading-3">
          Failed readers <span className="text-12 text-ink-3">16 panel</span>
        </p>
        <p>
          Readers keep their current configuration until 02:00. <span className="text-12 text-ink-3">14 body</span>
        </p>
        <p className="text-13">
          Left the cradle during the update <span className="text-12 text-ink-3">13 table</span>
        </p>
        <p className="text-12 text-ink-2">
          Last Updated is shown in UTC−08:00 <span className="text-ink-3">12 label</span>
        </p>
        <p className="mono">
          27P0418853 SYC128E1 O0 Il1 B8 S5 Z2 <span className="text-12 text-ink-3">mono</span>
        </p>
      </div>
    </Panel>
  )
}

export function ButtonSection() {
  return (
    <Panel title="Buttons" className="sheet-6">
      <div className="sheet-buttons">
        <span className="caption">Primary</span>
        <Button variant="primary" icon={Send}>
          Publish
        </Button>
        <span className="sheet-focus">
          <Button variant="primary">Focus</Button>
        </span>
        <Button variant="primary" icon={Send} busy busyLabel="Publishing">
          Publish
        </Button>
        <Button variant="primary" disabled>
          Next
        </Button>
        <span className="caption">Secondary</span>
        <Button icon={Download}>Export to Excel</Button>
        <span className="sheet-focus">
          <Button>Focus</Button>
        </span>
        <Button small>Small</Button>
        <Button disabledReason="Choose a zone first">Save</Button>
        <span className="caption">Quiet</span>
        <Button variant="ghost">Cancel</Button>
        <Button variant="link">Show all 61 zones</Button>
        <IconButton icon={Copy} label="Copy" />
        <IconButton icon={Trash2} label="Delete" bad />
        <span className="caption">Destructive</span>
        <Button variant="danger" icon={Trash2}>
          Delete
        </Button>
        <Button variant="bad">Yes</Button>
        <Button variant="bad" busy busyLabel="Deleting">
          Yes
        </Button>
        <ButtonLink to="/">As a link</ButtonLink>
      </div>
    </Panel>
  )
}
