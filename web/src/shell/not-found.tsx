import { Flag } from 'lucide-react'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { isMonitored, reportMissingPage } from '../lib/monitoring/monitoring.ts'
import { paths } from '../paths.ts'
import { BrokenBars } from '../ui/bars.tsx'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { MessagePage } from './message-page.tsx'
import { useReport } from './use-report.tsx'

const intro = 'The address was recorded. A few words about how you came here help to find the cause.'

export function NotFound() {
  const { pathname } = useLocation()
  const { openReport } = useReport()
  useEffect(() => void reportMissingPage(pathname), [pathname])
  const report = () => openReport({ intro, eventId: isMonitored() ? reportMissingPage(pathname) : undefined }).catch(() => {})
  return (
    <MessagePage
      title="Page not found"
      picture={<BrokenBars />}
      actions={
        <>
          <ButtonLink to={paths.home()} variant="primary">
            Go Home
          </ButtonLink>
          <Button icon={Flag} onClick={() => void report()}>
            Report Issue
          </Button>
        </>
      }
    >
      <p>There is no page at this address. It may have moved, or the link was cut short.</p>
      <p className="mono mt-1 justify-self-center break-all rounded-1 border border-rule bg-surface px-3 py-1.5 text-13 text-ink">
        {pathname}
      </p>
    </MessagePage>
  )
}
