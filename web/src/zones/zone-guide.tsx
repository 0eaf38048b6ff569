import { counted } from '@lectern/contract/text/numbers.ts'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { Notice } from '../ui/feedback/notice.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { shortenName, type ZoneRow } from './zone-row.ts'

const steps = [
  ['Create the zone', 'One per location or workflow.'],
  [
    'Download its location file',
    <>
      <span className="mono">Location.ctxdm</span> holds only the zone ID.
    </>,
  ],
  ['Install on the host PC', 'Add the companion app and its licence, then open the file once.'],
] as const

export function ZoneGuide({ zones }: { zones: readonly ZoneRow[] }) {
  return (
    <aside className="grid gap-4" aria-label="Guidance">
      <Panel>
        <h2 className="heading-3 mb-2.5">From zone to working readers</h2>
        <ol className="grid gap-3.5 text-13 text-ink-2">
          {steps.map(([title, text], index) => (
            <li key={title} className="grid grid-cols-[28px_minmax(0,1fr)]">
              <b className="font-semibold text-ink" aria-hidden="true">
                {index + 1}
              </b>
              <span>
                <b className="block font-semibold text-ink">{title}</b>
                {text}
              </span>
            </li>
          ))}
        </ol>
        <p className="mt-3.5">
          <Link to={paths.installationInstructions()} className="font-medium max-sm:inline-flex max-sm:min-h-11 max-sm:items-center">
            Installation instructions
          </Link>
        </p>
      </Panel>
      <Unreachable zones={zones.filter(({ readers, online }) => readers > 0 && online === 0)} />
    </aside>
  )
}

const namedZones = 3

function Unreachable({ zones }: { zones: readonly ZoneRow[] }) {
  const rest = zones.slice(namedZones)
  return (
    <>
      {zones.slice(0, namedZones).map((zone) => (
        <Notice key={zone.id} kind="warn">
          <b className="wrap-anywhere">{shortenName(zone.name)}</b> has no host PC online. Its {counted(zone.readers, 'reader')} cannot
          update until one is back.
        </Notice>
      ))}
      {rest.length > 0 && (
        <Notice kind="warn">
          {counted(rest.length, 'more zone')} with{' '}
          {counted(
            rest.reduce((sum, zone) => sum + zone.readers, 0),
            'reader',
          )}{' '}
          {rest.length === 1 ? 'has' : 'have'} no host PC online.
        </Notice>
      )}
    </>
  )
}
