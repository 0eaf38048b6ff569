import './config-success-page.css'
import { useLocation, useSearchParams } from 'react-router'
import { useDocumentTitle } from '../lib/document-title.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'

const words = {
  config: {
    title: 'Configure Zones',
    success: 'Success! Your Configuration has published.',
    detail: 'Each host PC gives it to its readers at the update time. Its rollout shows which of them have it.',
  },
  firmware: {
    title: 'Manage Firmware',
    success: 'Success! Your firmware has published.',
    detail:
      'Each host PC installs it on its readers at the update time. Do not power off the readers during the update. Its rollout shows which of them run it.',
  },
}

export default function ConfigSuccessPage() {
  const [search] = useSearchParams()
  const { title, success, detail } = words[search.get('of') === 'firmware' ? 'firmware' : 'config']
  const rollout = (useLocation().state as { rollout?: string } | null)?.rollout
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
          <div className="flex gap-2">
            <ButtonLink variant="primary" to={paths.deviceManagement()}>
              Done
            </ButtonLink>
            <ButtonLink to={rollout ? paths.rollout({ id: rollout }) : paths.rollouts()}>Watch the rollout</ButtonLink>
          </div>
        </div>
      </Panel>
    </Page>
  )
}
