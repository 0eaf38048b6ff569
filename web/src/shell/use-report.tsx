import { use, useMemo } from 'react'
import { isMonitored, whenMonitored } from '../lib/monitoring/monitoring.ts'
import { SessionContext } from '../lib/session.ts'
import { SettingsContext } from '../lib/settings.ts'
import { useDialog } from '../ui/dialog/dialog.tsx'

interface Report {
  intro: string
  eventId: string | undefined
  signal?: AbortSignal
}

/** Works without a session and without settings. */
export function useReport() {
  const { open } = useDialog()
  const supportPhone = use(SettingsContext)?.supportPhone
  const user = use(SessionContext)?.user
  const { name = '', email = '' } = user ?? {}
  return useMemo(() => {
    /** @throws where the service cannot be loaded */
    async function openForm({ intro, eventId, signal }: Report): Promise<void> {
      const [{ ReportDialog }] = await Promise.all([import('./report-dialog.tsx'), whenMonitored()])
      if (signal?.aborted) return
      await open<void>((close) => (
        <ReportDialog close={close} intro={intro} eventId={eventId} name={name} email={email} supportPhone={supportPhone} />
      ))
    }

    /** Opens the details for the support line, where the service cannot be loaded. */
    async function openReport(report: Report): Promise<void> {
      if (isMonitored())
        try {
          return await openForm(report)
        } catch {
          // The details below work without it.
        }
      const { ReportDetails } = await import('./report-details.tsx')
      await open<void>((close) => <ReportDetails close={close} supportPhone={supportPhone} reference={report.eventId} />)
    }
    return { openForm, openReport }
  }, [open, name, email, supportPhone])
}
