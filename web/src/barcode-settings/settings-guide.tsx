import { useQuery } from '@tanstack/react-query'
import { FileDown } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../lib/api.ts'
import { q } from '../lib/query.ts'
import { saveFile } from '../lib/save-file.ts'
import { useSettings } from '../lib/settings.ts'
import { Button } from '../ui/button.tsx'
import { ErrorPanel } from '../ui/empty-state.tsx'
import { Panel } from '../ui/panel.tsx'
import { RadioGroup } from '../ui/radio-group.tsx'
import { useToast } from '../ui/toast.tsx'
import { SettingChooser } from './setting-chooser.tsx'

/** A product's setting barcodes as a PDF: all of them, or the chosen ones, in one of two brands (spec §1, §7). */
export function SettingsGuide({ productId, device }: { productId: number; device: string }) {
  const { brands } = useSettings()
  const { data: categories, error, refetch, isFetching } = useQuery(q('listSettingCategories', { params: { id: productId } }))
  const [brand, setBrand] = useState('0')
  const [codes, setCodes] = useState<ReadonlySet<string>>(new Set())
  const branding = Number(brand)

  if (error)
    return (
      <Panel title="Settings guide">
        <ErrorPanel message="Error loading the settings" detail={error.message} onRetry={refetch} retrying={isFetching} />
      </Panel>
    )
  return (
    <Panel title="Settings guide">
      <div className="grid gap-4">
        <p className="text-ink-2">Setting barcodes of the {device} on paper: scan one, and the reader keeps the setting.</p>
        <RadioGroup
          label="Brand"
          options={brands.map((label, index) => ({ value: String(index), label }))}
          value={brand}
          onChange={setBrand}
        />
        {categories && <SettingChooser productId={productId} categories={categories} codes={codes} onChange={setCodes} />}
        <div className="grid gap-2">
          <GuideDownload
            label={codes.size === 0 ? 'Download chosen settings' : `Download ${codes.size} chosen`}
            disabled={codes.size === 0}
            load={(api, name) =>
              api.download('downloadSettingsReport', { params: { id: productId }, query: { branding, codes: [...codes].join(',') } }, name)
            }
            name={`${device} settings.pdf`}
          />
          <GuideDownload
            label="Download full guide"
            load={(api, name) => api.download('downloadFullSettingsReport', { params: { id: productId }, query: { branding } }, name)}
            name={`${device} settings guide.pdf`}
          />
        </div>
      </div>
    </Panel>
  )
}

type GuideDownloadProps = {
  label: string
  name: string
  disabled?: boolean
  load: (api: ReturnType<typeof useApi>, name: string) => Promise<File>
}

function GuideDownload({ label, name, disabled = false, load }: GuideDownloadProps) {
  const api = useApi()
  const toast = useToast()
  const [busy, setBusy] = useState(false)

  async function download() {
    setBusy(true)
    try {
      saveFile(await load(api, name))
    } catch (error) {
      toast({ title: 'Guide not downloaded', detail: (error as Error).message, bad: true })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button icon={FileDown} disabled={disabled} busy={busy} busyLabel="Downloading" onClick={download} className="w-full">
      {label}
    </Button>
  )
}
