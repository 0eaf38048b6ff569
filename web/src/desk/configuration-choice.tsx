import { BuilderDevice } from '@lectern/contract/barcode/catalogue.ts'
import type { LibraryEntry } from '@lectern/contract/library.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Link } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { formatMinute } from '../lib/format.ts'
import { paths } from '../paths.ts'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { SearchInput } from '../ui/input/search-input.tsx'
import type { Chosen } from './desk-state.ts'

const mostShown = 20

interface ConfigurationChoiceProps {
  /** What the reader typed as its model; of no known form: every configuration is offered. */
  model: string
  onChoose: (chosen: Chosen) => void
}

export function ConfigurationChoice({ model, onChoose }: ConfigurationChoiceProps) {
  const organizationId = useOrganization()
  const [search, setSearch] = useState('')
  const textFilter = useDeferredValue(search)
  const query = useQuery({
    ...q('listLibrary', { params: { organizationId }, query: { textFilter } }),
    placeholderData: (before) => before,
  })
  const isModel = BuilderDevice.safeParse(model).success
  const fits = ({ kind, device }: LibraryEntry) => kind === 'commands' && (!isModel || device === model)
  return (
    <div className="desk-choice">
      <SearchInput label="Search configurations" value={search} onChange={(event) => setSearch(event.target.value)} />
      <QueryStates query={query} failed="Error loading the library">
        {(entries) => <Entries entries={entries.filter(fits)} isSearched={search !== ''} onChoose={onChoose} />}
      </QueryStates>
      <p className="field-hint">
        Here are configurations of builder commands{isModel ? ` for the ${model}` : ''}, each in its newest version. An older version is
        opened from the library, and one that is not saved from the builder’s page Print / Save.
      </p>
    </div>
  )
}

interface EntriesProps {
  entries: readonly LibraryEntry[]
  isSearched: boolean
  onChoose: (chosen: Chosen) => void
}

function Entries({ entries, isSearched, onChoose }: EntriesProps) {
  const organizationId = useOrganization()
  const client = useQueryClient()
  const [busy, setBusy] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  async function choose({ id, name, version }: LibraryEntry) {
    setBusy(id)
    setFailure(null)
    try {
      const { content } = await client.fetchQuery(q('getLibraryVersion', { params: { organizationId, id, number: version } }))
      const device = BuilderDevice.parse(entries.find((entry) => entry.id === id)?.device)
      if (content.kind === 'commands') onChoose({ id, version, name, device, commands: content.commands })
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
    setBusy(null)
  }
  if (entries.length === 0)
    return (
      <EmptyState action={isSearched ? undefined : <Link to={paths.createConfiguration()}>Make one</Link>}>
        {isSearched ? 'No configuration matches.' : 'No configuration for this reader.'}
      </EmptyState>
    )
  return (
    <>
      {failure && <Notice kind="bad">{failure}</Notice>}
      <ul className="desk-entries" aria-label="Configurations">
        {entries.slice(0, mostShown).map((entry) => (
          <li key={entry.id}>
            <button type="button" className="desk-entry" aria-busy={busy === entry.id || undefined} onClick={() => choose(entry)}>
              <b className="wrap-anywhere">{entry.name}</b>
              <span>
                {entry.device}, version {entry.version}, {formatMinute(entry.savedAt)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {entries.length > mostShown && <p className="field-hint">{entries.length - mostShown} more match. Search to find them.</p>}
    </>
  )
}
