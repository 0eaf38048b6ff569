import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { maxScriptBytes } from '@lectern/contract/publications/publications.ts'
import { FileCode } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useApi } from '../../lib/api/api.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/button/button.tsx'
import { Status } from '../../ui/feedback/status.tsx'
import { FieldError } from '../../ui/form/field.tsx'
import { FileDrop } from '../../ui/form/file-drop.tsx'
import { emptyConfig, type FileConfig } from '../draft/choices.ts'
import { formatUnreadable, readFileConfig, scriptType, toFile } from '../draft/file-data.ts'

interface CodeRulesChoiceProps {
  device: UpdateModel
  config: FileConfig
  onChange: (config: FileConfig) => void
}

export function CodeRulesChoice({ device, config, onChange }: CodeRulesChoiceProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const file = useMemo(() => toFile(config), [config])
  // An older file may take longer to read than a newer one.
  const newest = useRef<File>(undefined)

  async function choose([chosen]: File[]) {
    newest.current = chosen
    setProblem(null)
    if (!chosen) return onChange(emptyConfig('file'))
    const wrong = explainRefusal(chosen)
    const read = wrong === null ? await readFileConfig(chosen).catch(() => null) : null
    if (newest.current !== chosen) return
    if (read) onChange(read)
    else setProblem(wrong ?? formatUnreadable(chosen))
  }

  return (
    <div className="code-rules-choice">
      <FileDrop
        files={file ? [file] : []}
        onChange={choose}
        accept={{ [scriptType]: ['.js'] }}
        maxSize={maxScriptBytes}
        prompt="Drag one .js file here"
        hint={`Accepted type: ${scriptType}. One file only.`}
        icon={FileCode}
        status={() => <Status kind="ok" spoken="" children="Ready" />}
      />
      {problem && (
        <div role="alert">
          <FieldError>{problem}</FieldError>
        </div>
      )}
      <DefaultRules device={device} />
    </div>
  )
}

/** Null for a file that can be chosen. The server checks whether it is text. */
function explainRefusal(file: File): string | null {
  // .mjs has the same type.
  if (!/\.js$/i.test(file.name)) return 'File type must be .js'
  return file.size === 0 ? `The file ${file.name} is empty.` : null
}

function DefaultRules({ device }: { device: UpdateModel }) {
  const { call } = useApi()
  const [failure, setFailure] = useState<string | null>(null)

  async function download() {
    setFailure(null)
    try {
      const { fileName, script } = await call('getDefaultCodeRules', {})
      saveFile(new File([script], fileName, { type: scriptType }))
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
  }

  return (
    <>
      <p className="field-hint">
        New to CodeRules?{' '}
        <Button variant="link" onClick={download}>
          Download the default rules
        </Button>{' '}
        and edit from there, then choose the file for {device}.
      </p>
      {failure && (
        <div role="alert">
          <FieldError>The default rules could not be downloaded. {failure}</FieldError>
        </div>
      )}
    </>
  )
}
