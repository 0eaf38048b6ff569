import '../ui/layout/panel.css'
import './landing-card.css'
import { ArrowRight, ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { useScreens } from '../lib/screens.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { ReaderDrawing } from '../ui/reader-drawing.tsx'
import type { LandingAction, LandingSubject } from './landing.ts'

export function LandingCard({ subject }: { subject: LandingSubject }) {
  const [isOpen, toggle] = useOpenCard(subject.id)
  const id = useId()
  const [title, body] = [`${id}-title`, `${id}-body`]
  return (
    <section className="panel" aria-labelledby={title}>
      <div className="landing-card-head">
        <span className="landing-card-plate">
          <ReaderDrawing model={subject.model} width={92} />
        </span>
        <div className="landing-card-words">
          <h2 className="heading-2" id={title}>
            <button type="button" className="landing-card-toggle" aria-expanded={isOpen} aria-controls={body} onClick={toggle}>
              {subject.title}
            </button>
          </h2>
          <p className="text-ink-2">{subject.line}</p>
        </div>
        <ChevronDown size={18} className="landing-card-chevron" data-open={isOpen || undefined} />
      </div>
      <div id={body}>{isOpen ? <LandingActions actions={subject.actions} /> : <Items items={subject.items} />}</div>
    </section>
  )
}

function Items({ items }: Pick<LandingSubject, 'items'>) {
  const find = useScreens()
  return (
    <ul className="landing-card-items">
      {items
        .filter(({ to }) => to === undefined || find(to) !== null)
        .map(({ label }) => (
          <li key={label}>{label}</li>
        ))}
    </ul>
  )
}

export function LandingActions({ actions }: Pick<LandingSubject, 'actions'>) {
  const find = useScreens()
  return (
    <ul className="landing-card-actions">
      {actions.map((action) => {
        const screen = find(action.to)
        return screen && <Action key={action.to} action={action} isUpcoming={screen.upcoming === true} />
      })}
    </ul>
  )
}

function Action({ action: { to, label, detail, icon: Icon }, isUpcoming }: { action: LandingAction; isUpcoming: boolean }) {
  return (
    <li>
      <Link className="landing-action" to={to}>
        <Icon size={18} />
        <span className="landing-action-words">
          <b>{label}</b>
          <span className="text-13 text-ink-2">{detail}</span>
        </span>
        {isUpcoming && <Badge>Not available yet</Badge>}
        <ArrowRight size={16} />
      </Link>
    </li>
  )
}

const makeKey = (id: string) => `landing-${id}`

// Stored for the tab, so that a reload or the way back finds the same card open.
function useOpenCard(id: string): [isOpen: boolean, toggle: () => void] {
  const [isOpen, setOpen] = useState(() => read(makeKey(id)) === 'open')
  const toggle = () => {
    setOpen(!isOpen)
    write(makeKey(id), isOpen ? 'closed' : 'open')
  }
  return [isOpen, toggle]
}

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value)
  } catch {
    // Without storage, cards begin closed.
  }
}
