import { useOrganization } from '../lib/active-organization.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useSession } from '../lib/session.ts'
import { useDelayed } from '../ui/delay.ts'
import { Page } from '../ui/page.tsx'
import { ConfigWizard } from './config-wizard.tsx'
import { useKeptDraft } from './wizard-store.ts'

/** `/codedm/apply-config`: the Configure Zones wizard. Takes up this tab's draft, so that a reload loses nothing. */
export default function ApplyConfigPage() {
  useDocumentTitle('Configure Zones')
  const { user } = useSession()
  const owner = { user: user?.id ?? '', organization: useOrganization() }
  const draft = useKeptDraft(owner)
  const isLate = useDelayed(200)
  if (!draft) return <Page>{isLate && <p role="status">Loading...</p>}</Page>
  return <ConfigWizard key={`${owner.user} ${owner.organization}`} owner={owner} initial={draft} />
}
