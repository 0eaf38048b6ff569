import { useQuery } from '@tanstack/react-query'
import { FileDown } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../lib/api/api.ts'
import { q } from '../lib/api/query.ts'
import { saveFile } from '../lib/files/save-file.ts'
import { useSettings } from '../lib/settings.ts'
import { TaskButton } from '../ui/button/task-button.tsx'
import { QueryError } from '../ui/feedback/query-states.tsx'
import { RadioGroup } from '../ui/input/radio-group.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { SettingChooser } from './setting-chooser.tsx'

export function SettingsGuide({ productId, device }: { productId: number; device: string }) {
  const api = useApi()
  const { brands } = useSettings()
  const query = useQuery(q('listSettingCategories', { params: { id: productId } }))
  const [brand, setBrand] = useState('0')
  const [paper, setPaper] = useState<Paper>('a4')
  const [codes, setCodes] = useState<ReadonlySet<string>>(new Set())
  const branding = Number(brand)
  const categories = query.data
  if (!categories && query.error)
    return (
      <Panel title="Settings guide">
        <QueryError query={query} failed="Error loading the settings" />
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
        <RadioGroup label="Paper" options={papers} value={paper} onChange={(next) => setPaper(next as Paper)} />
        {categories && <SettingChooser productId={productId} categories={categories} codes={codes} onChange={setCodes} />}
        <div className="grid gap-2">
          <TaskButton
            {...guide}
            disabled={codes.size === 0}
            task={async () =>
              saveFile(
                await api.download(
                  'downloadSettingsReport',
                  { params: { id: productId }, query: { branding, paper, codes: [...codes].join(',') } },
                  `${device} settings.pdf`,
                ),
              )
            }
          >
            {codes.size === 0 ? 'Download chosen settings' : `Download ${codes.size} chosen`}
          </TaskButton>
          <TaskButton
            {...guide}
            task={async () =>
              saveFile(
                await api.download(
                  'downloadFullSettingsReport',
                  { params: { id: productId }, query: { branding, paper } },
                  `${device} settings guide.pdf`,
                ),
              )
            }
          >
            Download full guide
          </TaskButton>
        </div>
      </div>
    </Panel>
  )
}

type Paper = 'a4' | 'letter'

const papers: { value: Paper; label: string }[] = [
  { value: 'a4', label: 'A4' },
  { value: 'letter', label: 'Letter' },
]

const guide = { icon: FileDown, busyLabel: 'Downloading', failure: 'Guide not downloaded', className: 'w-full' }
