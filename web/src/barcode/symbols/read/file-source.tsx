import { ScanQrCode } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Field } from '../../../ui/form/field.tsx'
import { FileDrop } from '../../../ui/form/file-drop.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { type FileContent, readConfigurationFile } from '../configuration-file.ts'
import { nothing, type SourceProps, toParts } from './source.ts'

const mostFiles = 20

type Outcome = { file: File; content: FileContent } | { file: File; problem: string }

export function FileSource({ onFound }: SourceProps) {
  const [files, setFiles] = useState<readonly File[]>([])
  const [pages, setPages] = useState<ReadonlyMap<File, number>>(new Map())
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([])

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
        problems: next.flatMap((one) => ('problem' in one ? [one.problem] : [])),
      })
    })
    return () => {
      isCurrent = false
    }
  }, [files, pages, onFound])

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
      {outcomes.map(
        (outcome) =>
          'content' in outcome &&
          outcome.content.page &&
          outcome.content.page.count > 1 && (
            <Field key={outcome.file.name} label={`Page of ${outcome.file.name}`}>
              <Select
                options={Array.from({ length: outcome.content.page.count }, (_, index) => ({
                  value: String(index + 1),
                  label: `Page ${index + 1} of ${outcome.content.page?.count}`,
                }))}
                value={String(outcome.content.page.number)}
                onChange={(page) => setPages(new Map(pages).set(outcome.file, Number(page)))}
              />
            </Field>
          ),
      )}
    </div>
  )
}

async function readAll(files: readonly File[], pages: ReadonlyMap<File, number>): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const file of files)
    outcomes.push(
      await readConfigurationFile(file, pages.get(file)).then(
        (content) => ({ file, content }),
        (error: Error) => ({ file, problem: error.message }),
      ),
    )
  return outcomes
}
