import { useContext } from 'react'
import { Link } from 'react-router'
import { ActiveOrganizationContext } from '../lib/active-organization.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useScreens } from '../lib/screens.ts'
import { useSettings } from '../lib/settings.ts'
import { paths, patterns } from '../paths.ts'
import { LatestRollout } from '../rollouts/latest-rollout.tsx'
import { SupportLine } from '../shell/support-line.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { configure, manage, withoutOrganization } from './landing.ts'
import { LandingActions, LandingCard } from './landing-card.tsx'

export default function HomePage() {
  useDocumentTitle('Device Management')
  return useContext(ActiveOrganizationContext) === null ? <WithoutOrganization /> : <Home />
}

function Home() {
  return (
    <Page>
      <PageHead title="Device Management" intro="Push configurations to every reader in a zone, and watch what each one reports back." />
      {/* Columns stack separately, so that an open card leaves no gap in the other. */}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 md:grid-cols-2">
        <div className="grid gap-4">
          <LandingCard subject={configure} />
          <FirstUse />
        </div>
        <div className="grid gap-4">
          <LandingCard subject={manage} />
          <LatestRollout />
          <SupportLine />
        </div>
      </div>
    </Page>
  )
}

function WithoutOrganization() {
  const { providerName } = useSettings()
  const isStaff = useScreens()(patterns.organizations) !== null
  return (
    <Page>
      <PageHead title="Device Management" intro="Setup barcodes and products: what works without a customer's organization." />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 md:grid-cols-2">
        <Panel flush aria-label="Without an organization">
          <LandingActions actions={withoutOrganization} />
        </Panel>
        <Panel title="What needs an organization">
          <p className="text-ink-2">
            Zones, devices, rollouts, saved configurations and the audit log belong to a customer's organization.{' '}
            {isStaff
              ? `As staff of ${providerName} you belong to none.`
              : 'You belong to none yet: whoever manages people at your company can invite you.'}
          </p>
          {isStaff && (
            <Link to={paths.organizations()} className="link mt-2.5 inline-block font-medium">
              All Organizations
            </Link>
          )}
        </Panel>
      </div>
    </Page>
  )
}

function FirstUse() {
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
