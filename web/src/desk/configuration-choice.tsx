import { BuilderDevice } from '@lectern/contract/barcode/catalogue.ts'
import type { LibraryEntry, LibraryVersion } from '@lectern/contract/library.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Link } from 'react-router'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { formatMinute } from '../lib/format.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { SearchInput } from '../ui/input/search-input.tsx'
import type { Chosen } from './desk-state.ts'

const mostShown = 20

interface ConfigurationChoiceProps {
  /** As the reader typed it. Where its form is not known, every configuration is offered. */
  model: string
  /** Whether the focus goes to the search, as a stack is set up without the mouse. */
  takesFocus: boolean
  onChoose: (chosen: Chosen) => void
}

export function ConfigurationChoice({ model, takesFocus, onChoose }: ConfigurationChoiceProps) {
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
      <SearchInput
        label="Search configurations"
        placeholder="Name, option, command or text"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        autoFocus={takesFocus}
      />
      <QueryStates query={query} failed="Error loading the library">
        {(entries) => <Entries entries={entries.filter(fits)} isSearched={search !== ''} onChoose={onChoose} />}
      </QueryStates>
      <p className="field-hint">
        These are the library’s configurations of builder commands{isModel ? ` for the ${model}` : ''}. Commands that are not saved are used
        from the builder’s page Print / Save.
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
  const [opened, setOpened] = useState<string | null>(null)
  const { choose, busy, failure } = useChoice(onChoose)
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
            <div className="desk-entry-line">
              <button
                type="button"
                className="desk-entry"
                aria-busy={busy === `${entry.id} ${entry.version}` || undefined}
                onClick={() => choose(entry, entry.version)}
              >
                <b className="wrap-anywhere">{entry.name}</b>
                <span>
                  {entry.device}, version {entry.version}, {formatMinute(entry.savedAt)}
                </span>
              </button>
              {entry.version > 1 && (
                <Button
                  small
                  aria-expanded={opened === entry.id}
                  aria-label={`Older versions of ${entry.name}`}
                  onClick={() => setOpened(opened === entry.id ? null : entry.id)}
                >
                  Older versions
                </Button>
              )}
            </div>
            {opened === entry.id && <OlderVersions entry={entry} busy={busy} onChoose={(number) => choose(entry, number)} />}
          </li>
        ))}
      </ul>
      {entries.length > mostShown && <p className="field-hint">{entries.length - mostShown} more match. Search to find them.</p>}
    </>
  )
}

function useChoice(onChoose: EntriesProps['onChoose']) {
  const organizationId = useOrganization()
  const client = useQueryClient()
  const [busy, setBusy] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  async function choose({ id, name, device }: LibraryEntry, version: number) {
    setBusy(`${id} ${version}`)
    setFailure(null)
    try {
      const { content } = await client.fetchQuery(q('getLibraryVersion', { params: { organizationId, id, number: version } }))
      if (content.kind === 'commands') onChoose({ id, version, name, device: BuilderDevice.parse(device), commands: content.commands })
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
    setBusy(null)
  }
  return { choose, busy, failure }
}

interface OlderVersionsProps {
  entry: LibraryEntry
  busy: string | null
  onChoose: (number: number) => void
}

/** Leaves out versions of another kind, such as CFG, which no barcode holds. */
function OlderVersions({ entry, busy, onChoose }: OlderVersionsProps) {
  const { id, name } = entry
  const query = useQuery(q('getLibraryEntry', { params: { organizationId: useOrganization(), id } }))
  const isOlder = ({ number, kind }: LibraryVersion) => number < entry.version && kind === 'commands'
  return (
    <QueryStates query={query} failed="Error loading the versions">
      {({ versions }) => (
        <ul className="desk-versions" aria-label={`Older versions of ${name}`}>
          {versions.filter(isOlder).map(({ number, savedAt, savedBy }) => (
            <li key={number}>
              <button
                type="button"
                className="desk-entry"
                aria-busy={busy === `${id} ${number}` || undefined}
                onClick={() => onChoose(number)}
              >
                <span className="wrap-anywhere">
                  Version {number}, {formatMinute(savedAt)}
                  {savedBy !== undefined && `, by ${savedBy}`}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </QueryStates>
  )
}
