import { useDocumentTitle } from '../lib/document-title.ts'
import { usePermission } from '../lib/session.ts'
import { ButtonLink } from '../ui/button-link.tsx'
import { Page, PageHead } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'

const destinations = [
  { to: '/codedm/device-dashboard', label: 'My Devices', detail: 'Every reader: where it is, what it runs, when it was last seen.' },
  { to: '/codedm/zones', label: 'Manage Your Device Zones', detail: 'The places your readers work in, and the location file of each.' },
  {
    to: '/codedm/apply-config',
    label: 'Configure Zones',
    detail: 'Give the readers of a zone a configuration, at a time you choose.',
    needs: 'manage:cfg',
  },
]

/** Device management home. */
export default function HomePage() {
  useDocumentTitle('Device Management')
  return (
    <Page>
      <PageHead title="Device Management" intro="Your readers, the zones they work in, and the configurations they run." />
      <Panel flush aria-label="Device Management">
        <ul>
          {destinations.map((destination) => (
            <Destination key={destination.to} {...destination} />
          ))}
        </ul>
      </Panel>
    </Page>
  )
}

function Destination({ to, label, detail, needs }: (typeof destinations)[number]) {
  const permitted = usePermission(...(needs === undefined ? [] : [needs]))
  if (!permitted) return null
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-rule px-4 py-3 not-first:border-t">
      <p className="text-ink-2">{detail}</p>
      <ButtonLink to={to}>{label}</ButtonLink>
    </li>
  )
}
