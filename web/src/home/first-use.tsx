import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { Panel } from '../ui/layout/panel.tsx'

export function FirstUse() {
  return (
    <Panel title="Before your first update">
      <p className="text-ink-2">Each zone needs the companion app on its host PC.</p>
      <ol className="my-2.5 grid list-decimal gap-1 pl-5 text-13 text-ink-2 marker:font-semibold marker:text-ink">
        <li>Get the app and its licence from your account manager and the developer portal.</li>
        <li>
          Create a zone and download its <span className="mono">Location.ctxdm</span>.
        </li>
        <li>Install both on the zone's host PC.</li>
      </ol>
      <Link to={paths.installationInstructions()} className="font-medium max-sm:inline-flex max-sm:min-h-11 max-sm:items-center">
        Installation instructions
      </Link>
    </Panel>
  )
}
