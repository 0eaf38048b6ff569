import { use, useMemo } from 'react'
import { isMonitored, whenMonitored } from '../lib/monitoring/monitoring.ts'
import { SessionContext } from '../lib/session.ts'
import { SettingsContext } from '../lib/settings.ts'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { ReportDetails } from './report-details.tsx'

interface Report {
  /** What this is about, and that it is known already. */
  intro: string
  /** The report that the words go with. */
  eventId: string | undefined
  /** Aborted when it is no longer wanted. */
  signal?: AbortSignal
}

/** The dialogs that report an issue. They also work where there is no session and no settings. */
export function useReport() {
  const { open } = useDialog()
  const supportPhone = use(SettingsContext)?.supportPhone
  const user = use(SessionContext)?.user
  const { name = '', email = '' } = user ?? {}
  return useMemo(() => {
    /** Opens the form, once the service is there to take it. Rejects where it is not. */
    async function openForm({ intro, eventId, signal }: Report): Promise<void> {
      const [{ ReportDialog }] = await Promise.all([import('./report-dialog.tsx'), whenMonitored()])
      if (signal?.aborted) return
      await open<void>((close) => (
        <ReportDialog close={close} intro={intro} eventId={eventId} name={name} email={email} supportPhone={supportPhone} />
      ))
    }

    /** Opens the form, or what to tell the support line where nothing takes it. */
    async function openReport(report: Report): Promise<void> {
      if (isMonitored())
        try {
          return await openForm(report)
        } catch {
          // The service, or the form, could not be loaded.
        }
      await open<void>((close) => <ReportDetails close={close} supportPhone={supportPhone} reference={report.eventId} />)
    }
    return { openForm, openReport }
  }, [open, name, email, supportPhone])
}
