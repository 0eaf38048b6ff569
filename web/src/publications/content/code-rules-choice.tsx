import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { maxScriptBytes } from '@lectern/contract/publications/publications.ts'
import { findFileProblem } from '@lectern/contract/publications/script/script-check.ts'
import { ChevronDown, ChevronUp, FileCode } from 'lucide-react'
import { type ComponentProps, useMemo, useRef, useState } from 'react'
import { useApi } from '../../lib/api/api.ts'
import { saveFile } from '../../lib/files/save-file.ts'
import { Button } from '../../ui/button/button.tsx'
import { FieldError } from '../../ui/form/field.tsx'
import { FileDrop } from '../../ui/form/file-drop.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { formatUnreadable, readFileConfig, scriptType, toFile } from '../draft/file-data.ts'
import { NotChecked, ScriptFindings, ScriptStatus } from '../script/script-findings.tsx'
import { findCheck, useSamples, useScriptCheck } from '../script/use-script-check.ts'
import { emptyConfig, type FileConfig } from './choices.ts'

const ScriptBench = lazyPart(async () => (await import('../script/script-bench.tsx')).ScriptBench, <p role="status">Loading...</p>)

interface CodeRulesChoiceProps {
  device: UpdateModel
  config: FileConfig
  onChange: (config: FileConfig) => void
}

export function CodeRulesChoice({ device, config, onChange }: CodeRulesChoiceProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const { data, fileName, verdict } = config
  const file = useMemo(() => toFile({ type: 'file', data, fileName }), [data, fileName])
  const [samples, changeSamples] = useSamples()
  const { state, retry } = useScriptCheck(file, samples, (check) => {
    const isAccepted = check.verdict === 'warning' && verdict === 'accepted'
    const next = isAccepted ? 'accepted' : check.verdict
    if (next !== verdict) onChange({ ...config, verdict: next })
  })
  const check = findCheck(state)

  // Reading an older file may end after reading a newer one.
  const newest = useRef<File>(undefined)

  async function choose([chosen]: File[]) {
    newest.current = chosen
    setProblem(null)
    if (!chosen) return onChange(emptyConfig('file'))
    const wrong = findFileProblem(chosen)
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
        status={() => (
          <span role="status">
            <ScriptStatus state={state} verdict={verdict} />
          </span>
        )}
      />
      {file && state.status === 'failed' && <NotChecked onRetry={retry} />}
      {file && check && (
        <ScriptFindings
          check={check}
          isAccepted={verdict === 'accepted'}
          onAccept={(isAccepted) => onChange({ ...config, verdict: isAccepted ? 'accepted' : 'warning' })}
        />
      )}
      {file && <Bench samples={samples} check={check} onChange={changeSamples} />}
      {problem && (
        <div role="alert">
          <FieldError>{problem}</FieldError>
        </div>
      )}
      <DefaultRules device={device} />
    </div>
  )
}

function Bench(props: ComponentProps<typeof ScriptBench>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        small
        variant="ghost"
        className="justify-self-start"
        icon={isOpen ? ChevronUp : ChevronDown}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        Try it on sample scans
      </Button>
      {isOpen && <ScriptBench {...props} />}
    </>
  )
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
