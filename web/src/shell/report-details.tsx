import { withoutSecrets } from '@lectern/contract/secrets.ts'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import type { Close } from '../ui/dialog.tsx'
import { DialogPanel } from '../ui/dialog-panel.tsx'
import { Notice } from '../ui/notice.tsx'
import { useToast } from '../ui/toast.tsx'

interface ReportDetailsProps {
  close: Close<void>
  supportPhone: string | undefined
  reference: string | undefined
}

/** What to tell the support line where reports cannot be sent from here. */
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
            Call support at{' '}
            <a className="link whitespace-nowrap" href={`tel:${supportPhone.replaceAll(' ', '')}`}>
              {supportPhone}
            </a>{' '}
            and give these details.
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
