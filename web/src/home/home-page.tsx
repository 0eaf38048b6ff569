import { useDocumentTitle } from '../lib/document-title.ts'
import { LatestRollout } from '../rollouts/latest-rollout.tsx'
import { SupportLine } from '../shell/support-line.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { FirstUse } from './first-use.tsx'
import { configure, manage } from './landing.ts'
import { LandingCard } from './landing-card.tsx'

export default function HomePage() {
  useDocumentTitle('Device Management')
  return (
    <Page>
      <PageHead title="Device Management" intro="Push configurations to every reader in a zone, and watch what each one reports back." />
      {/* Each column stacks on its own, so that one open card leaves no hole. */}
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
