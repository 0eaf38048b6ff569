import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button/button.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { DialogPanel } from '../ui/dialog/dialog-panel.tsx'
import { ChoiceCards } from '../ui/input/radio-group.tsx'

export type ExportFormat = 'workbook' | 'csv'

const formats = [
  { value: 'workbook', label: 'Excel workbook', detail: 'Serial numbers stay as they are. Times are in UTC.' },
  { value: 'csv', label: 'CSV file', detail: 'For other programs. Excel may change serial numbers in it.' },
]

export function ExportChoice({ close }: { close: Close<ExportFormat> }) {
  const [format, setFormat] = useState<ExportFormat>('workbook')
  return (
    <DialogPanel
      title="Export to Excel"
      onSubmit={() => close(format)}
      actions={
        <>
          <Button onClick={() => close()}>Cancel</Button>
          <Button type="submit" variant="primary" icon={Download}>
            Export
          </Button>
        </>
      }
    >
      <ChoiceCards label="File format" options={formats} value={format} onChange={(value) => setFormat(value as ExportFormat)} />
    </DialogPanel>
  )
}
