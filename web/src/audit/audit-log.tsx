import './audit.css'
import { useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { useMediaQuery } from '../ui/media-query.ts'
import { Facets } from '../ui/table/facets.tsx'
import { type AuditView, isFiltered, readView, toFilter, wholeLog, writeView } from './audit-address.ts'
import { AuditEntries } from './audit-entries.tsx'
import { AuditToolbar, typeValue } from './audit-toolbar.tsx'
import { allChanges, typeChoices } from './change-labels.ts'
import { ExportAuditLog } from './export-audit-log.tsx'
import { type Log, useAuditChoices } from './use-audit-log.ts'

/** An audit log with all that narrows it. The page's address holds what it shows. */
export function AuditLog({ log, intro }: { log: Log; intro: string }) {
  const [address, setAddress] = useSearchParams()
  const view = useMemo(() => readView(address), [address])
  const filter = useMemo(() => toFilter(view), [view])
  const choices = useAuditChoices(log)
  const hasRail = useMediaQuery('(width >= 75rem)')
  const ofOrganization = log !== null
  const types = typeChoices(choices, view.type, ofOrganization)

  function narrow(parts: Partial<AuditView>) {
    const next = { ...view, ...parts }
    // While a word is typed, the way back leads to the log before it, not to each of its letters.
    const isTyping = (['text', 'device'] as const).some((part) => next[part] !== view[part] && next[part] !== '' && view[part] !== '')
    setAddress(writeView(next), { replace: isTyping, preventScrollReset: true })
  }
  const searchBox = useRef<HTMLInputElement>(null)
  function showAll() {
    narrow(wholeLog)
    // The button that did it is gone.
    searchBox.current?.focus()
  }
  const onWhole = isFiltered(view) ? showAll : undefined

  return (
    <Page>
      <PageHead title="Audit Log" intro={intro} actions={<ExportAuditLog log={log} filter={filter} />} />
      <div className="audit-layout">
        {hasRail && (
          <Panel title="Type of change" flush foot={<p className="text-12 text-ink-3">Counts are of the whole log.</p>}>
            <Facets
              label="Type of change"
              choices={types}
              value={typeValue(view.type)}
              onChange={(type) => narrow({ type: type === allChanges ? '' : type.slice(1) })}
            />
          </Panel>
        )}
        <Panel flush aria-label="Entries">
          <AuditToolbar
            view={view}
            choices={choices}
            types={hasRail ? undefined : types}
            ofOrganization={ofOrganization}
            onNarrow={narrow}
            onWhole={onWhole}
            searchBox={searchBox}
          />
          <AuditEntries log={log} filter={filter} onNarrow={narrow} onWhole={onWhole} />
        </Panel>
      </div>
    </Page>
  )
}
