import './config-success.css'
import { useDocumentTitle } from '../lib/document-title.ts'
import { ButtonLink } from '../ui/button-link.tsx'
import { Page, PageHead } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import { Status } from '../ui/status.tsx'

/** `/codedm/config-success`: everything was published (spec §2). */
export default function ConfigSuccessPage() {
  useDocumentTitle('Configure Zones')
  return (
    <Page>
      <PageHead title="Configure Zones" />
      <Panel>
        <div className="publish-success">
          <p role="status">
            <Status kind="ok" spoken="">
              Success! Your Configuration has published.
            </Status>
          </p>
          <p>Each host PC gives it to its readers at the update time. My Devices shows which of them have it.</p>
          <ButtonLink variant="primary" to="/codedm">
            Done
          </ButtonLink>
        </div>
      </Panel>
    </Page>
  )
}
