import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { ScanQrCode } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Field } from '../../../ui/form/field.tsx'
import { FileDrop } from '../../../ui/form/file-drop.tsx'
import { PageInput } from '../../../ui/input/page-input.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { type FileContent, readConfigurationFile } from '../configuration-file.ts'
import { NoConnection, useRetryOnline } from '../no-connection.ts'
import { NoConnectionNotice } from '../no-connection-notice.tsx'
import { nothing, type SourceProps, toParts } from './source.ts'

const mostFiles = 20

type Outcome = { file: File } & ({ content: FileContent } | { problem: string } | { isLost: true })

export function FileSource({ onFound }: SourceProps) {
  const [files, setFiles] = useState<readonly File[]>([])
  const [pages, setPages] = useState<ReadonlyMap<File, number>>(new Map())
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])
  const [attempt, setAttempt] = useState(0)
  const isLost = outcomes.some((one) => 'isLost' in one)
  const retry = () => setAttempt(attempt + 1)
  useRetryOnline(isLost, retry)

  useEffect(() => {
    let isCurrent = true
    if (files.length === 0) {
      setOutcomes([])
      onFound(nothing)
      return
    }
    onFound({ ...nothing, isReading: true })
    void readAll(files, pages).then((next) => {
      if (!isCurrent) return
      setOutcomes(next)
      onFound({
        parts: next.flatMap((one) => ('content' in one ? toParts(one.file.name, one.content.parts) : [])),
        problems: next.flatMap((one) => ('problem' in one ? [one.problem] : 'content' in one ? (one.content.problem ?? []) : [])),
      })
    })
    return () => {
      isCurrent = false
    }
  }, [files, pages, attempt, onFound])

  return (
    <div className="grid gap-4">
      <FileDrop
        files={files}
        onChange={(chosen) => setFiles(chosen.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })))}
        maxFiles={mostFiles}
        icon={ScanQrCode}
        prompt="Drag pictures, PDFs or texts here"
        hint="PNG, JPEG and others, a photo of a sheet too. Several barcodes are read in the order of their file names."
      />
      {isLost && <NoConnectionNotice onRetry={retry}>What could not be read is read when the connection is back.</NoConnectionNotice>}
      {outcomes.map(
        (outcome) =>
          'content' in outcome &&
          outcome.content.page &&
          outcome.content.page.count > 1 && (
            <PageField
              key={outcome.file.name}
              name={outcome.file.name}
              page={outcome.content.page}
              onChange={(page) => setPages(new Map(pages).set(outcome.file, page))}
            />
          ),
      )}
    </div>
  )
}

interface PageFieldProps {
  name: string
  page: NonNullable<FileContent['page']>
  onChange: (page: number) => void
}

const mostOffered = 100

const PageField = ({ name, page, onChange }: PageFieldProps) => (
  <Field label={`Page of ${name}`} hint={page.count > mostOffered ? `It has ${formatNumber(page.count)} pages.` : undefined}>
    {page.count > mostOffered ? (
      <PageInput key={page.number} page={page.number} pages={page.count} onPage={onChange} />
    ) : (
      <Select
        options={Array.from({ length: page.count }, (_, index) => ({
          value: String(index + 1),
          label: `Page ${index + 1} of ${page.count}`,
        }))}
        value={String(page.number)}
        onChange={(next) => onChange(Number(next))}
      />
    )}
  </Field>
)

async function readAll(files: readonly File[], pages: ReadonlyMap<File, number>): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const file of files)
    outcomes.push(
      await readConfigurationFile(file, pages.get(file)).then(
        (content) => ({ file, content }),
        (error: Error) => (error instanceof NoConnection ? { file, isLost: true } : { file, problem: error.message }),
      ),
    )
  return outcomes
}
