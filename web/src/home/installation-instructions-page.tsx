import '../ui/button/button.css'
import { quotePermissions } from '@lectern/contract/people/permission-words.ts'
import { Link } from 'react-router'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useScreens } from '../lib/screens.ts'
import { useSettings } from '../lib/settings.ts'
import { paths, patterns } from '../paths.ts'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { AgentFiles } from './agent-files.tsx'
import { InstallApp } from './install-app.tsx'
import { InstructionsSection } from './instructions-section.tsx'

export default function InstallationInstructionsPage() {
  useDocumentTitle('Installation instructions')
  return (
    <Page>
      <PageHead
        title="Installation instructions"
        intro="Each zone's host PC requires the companion desktop app, lectern-agent. It brings what you publish to the PC's readers at the update time, and reports what each of them runs."
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,5fr)_minmax(0,7fr)]">
        <GetApp />
        <SetUpZones />
        <InstallApp />
      </div>
    </Page>
  )
}

function GetApp() {
  const { providerName } = useSettings()
  return (
    <InstructionsSection title="Get the app" outcome="You have the app and a licence number of your organization.">
      <li>
        Obtain a licence for the app from your account manager at {providerName} and the developer portal. Its number belongs to your
        organization: a PC that has it can join your zones only.{' '}
        <Link className="link" to={paths.licences()}>
          Licences
        </Link>{' '}
        lists what you have, with its number for whoever manages licences.
      </li>
      <li>
        <AgentFiles />
      </li>
    </InstructionsSection>
  )
}

function SetUpZones() {
  const hasDesk = useScreens()(patterns.setUpReader) !== null
  return (
    <InstructionsSection
      title="Set up and manage zones"
      outcome="The zone is in the list with “None yet” under “Host PCs online”, and you have its file."
    >
      <li>
        On <Link to={paths.zones()}>Manage Your Zones</Link>, create a zone for each location or workflow whose readers run the same
        configuration. This takes the permission {quotePermissions(['manage:firmware'])}.
      </li>
      <li>
        Download the zone's location file, <span className="mono">Location.ctxdm</span>. It holds only the zone ID. A PC joins the zone
        whose file it is given, so keep the files of several zones apart.
      </li>
      {hasDesk && (
        <li>
          A reader that no host PC serves, such as one on a desk, needs no app: <Link to={paths.setUpReader()}>Set up a reader</Link> takes
          what it types.
        </li>
      )}
      <li>
        To move a PC to another zone, enroll it again with that zone's file and <span className="mono whitespace-nowrap">--replace</span>,
        and remove it from the host PCs of its previous zone. A zone can be deleted once no host PC is left in it.
      </li>
    </InstructionsSection>
  )
}
