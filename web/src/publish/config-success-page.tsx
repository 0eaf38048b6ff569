import './config-success.css'
import { useSearchParams } from 'react-router'
import { useDocumentTitle } from '../lib/document-title.ts'
import { ButtonLink } from '../ui/button-link.tsx'
import { Page, PageHead } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import { Status } from '../ui/status.tsx'

const words = {
  config: {
    title: 'Configure Zones',
    success: 'Success! Your Configuration has published.',
    detail: 'Each host PC gives it to its readers at the update time. My Devices shows which of them have it.',
  },
  firmware: {
    title: 'Manage Firmware',
    success: 'Success! Your firmware has published.',
    detail:
      'Each host PC installs it on its readers at the update time. Do not power off the readers meanwhile. My Devices shows the firmware they run.',
  },
}

/** `/codedm/config-success`: everything was published (spec §2); `?of=firmware` after Manage Firmware. */
export default function ConfigSuccessPage() {
  const [search] = useSearchParams()
  const { title, success, detail } = words[search.get('of') === 'firmware' ? 'firmware' : 'config']
  useDocumentTitle(title)
  return (
    <Page>
      <PageHead title={title} />
      <Panel>
        <div className="publish-success">
          <p role="status">
            <Status kind="ok" spoken="">
              {success}
            </Status>
          </p>
          <p>{detail}</p>
          <ButtonLink variant="primary" to="/codedm">
            Done
          </ButtonLink>
        </div>
      </Panel>
    </Page>
  )
}
