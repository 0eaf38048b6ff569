import { withoutSecrets } from '@lectern/contract/text/secrets.ts'
import { useState } from 'react'
import { Button } from '../ui/button/button.tsx'
import { PhoneLink } from '../ui/button/phone-link.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { DialogPanel } from '../ui/dialog/dialog-panel.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'

interface ReportDetailsProps {
  close: Close<void>
  supportPhone: string | undefined
  reference: string | undefined
}

export function ReportDetails({ close, supportPhone, reference }: ReportDetailsProps) {
  const toast = useToast()
  const [time] = useState(() => new Date().toISOString().replace(/^(.*)T(.*)\..*$/, '$1 $2 UTC'))
  const [failed, setFailed] = useState(false)
  const details: [string, string][] = [
    ['Address', withoutSecrets(location.href)],
    ['Time', time],
    ...(reference ? ([['Reference', reference]] as [string, string][]) : []),
  ]

  async function copy() {
    try {
      await navigator.clipboard.writeText(details.map(([term, value]) => `${term}: ${value}`).join('\n'))
      toast({ title: 'Details copied' })
      close()
    } catch {
      setFailed(true)
    }
  }

  return (
    <DialogPanel
      title="Report an issue"
      actions={
        <>
          <Button onClick={() => close()}>Close</Button>
          <Button variant="primary" data-autofocus onClick={copy}>
            Copy details
          </Button>
        </>
      }
    >
      <p className="mb-4">
        Reports cannot be sent from here.{' '}
        {supportPhone && (
          <>
            Call support at <PhoneLink phone={supportPhone} /> and give these details.
          </>
        )}
      </p>
      <DefinitionList
        left
        items={details.map(([term, value]) => [
          term,
          <span key={term} className="mono select-all break-all font-normal">
            {value}
          </span>,
        ])}
      />
      {failed && (
        <Notice kind="bad" className="mt-4">
          The browser did not allow it. Select the details by hand.
        </Notice>
      )}
    </DialogPanel>
  )
}
