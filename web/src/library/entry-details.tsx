import './entry-details.css'
import { BuilderDevice, type Catalogue } from '@lectern/contract/barcode/catalogue.ts'
import { UpdateModelName } from '@lectern/contract/devices/device-models.ts'
import type { LibraryContent, LibraryDetail } from '@lectern/contract/library.ts'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { formatMinute } from '../lib/format.ts'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { Field } from '../ui/form/field.tsx'
import { Select } from '../ui/input/select.tsx'
import { DefinitionList } from '../ui/layout/definition-list.tsx'
import { lazyExtra } from '../ui/lazy.tsx'
import { EntryActions, type EntryChanges } from './entry-actions.tsx'
import { SavedDetails } from './saved-details.tsx'

export interface EntryDetailsProps extends EntryChanges {
  id: string
  catalogue: Catalogue
  version: number
}

const DeskRecords = lazyExtra(async () => (await import('../desk/desk-records.tsx')).DeskRecords)

const failed = 'Error loading the configuration'

export function EntryDetails(props: EntryDetailsProps) {
  const organizationId = useOrganization()
  const entry = useQuery(q('getLibraryEntry', { params: { organizationId, id: props.id } }))
  const newest = entry.data?.version ?? props.version
  const number = Math.min(props.version, newest)
  const content = useQuery(q('getLibraryVersion', { params: { organizationId, id: props.id, number } }))
  return (
    <QueryStates query={entry} failed={failed}>
      {(detail) => (
        <QueryStates query={content} failed={failed}>
          {(shown) => <Loaded {...props} entry={detail} shown={shown} />}
        </QueryStates>
      )}
    </QueryStates>
  )
}

function Loaded({ entry, shown, catalogue, ...props }: EntryDetailsProps & { entry: LibraryDetail; shown: LibraryContent }) {
  const { content, number } = shown
  const isSupported = content.kind === 'commands' ? BuilderDevice.safeParse(entry.device).success : true
  return (
    <>
      <div className="saved-details">
        {content.kind === 'commands' ? (
          <SavedDetails name={entry.name} device={entry.device} commands={content.commands} catalogue={catalogue} />
        ) : (
          <section className="saved-text" aria-label={`Text of ${entry.name}`}>
            <h2 className="caption">{content.kind === 'cfg' ? 'CFG' : `CodeRules, ${content.fileName}`}</h2>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
            <pre tabIndex={0}>{content.text}</pre>
          </section>
        )}
        <div className="saved-actions">
          {entry.versions.length > 1 && (
            <Field label="Version">
              <Select
                options={entry.versions.map((one) => ({
                  value: String(one.number),
                  label: `Version ${one.number}, ${formatMinute(one.savedAt)}`,
                }))}
                value={String(number)}
                onChange={(value) => props.onVersion(Number(value))}
              />
            </Field>
          )}
          <DefinitionList
            left
            items={[
              ['Device', entry.device],
              ['Version', `${number}${number === entry.version ? '' : ` of ${entry.version}`}`],
              ['Created', formatMinute(entry.creationDate)],
              ['Saved', formatMinute(shown.savedAt)],
              ...(shown.savedBy === undefined ? [] : [['By', shown.savedBy] as [string, string]]),
            ]}
          />
          {entry.note !== '' && <p className="whitespace-pre-line wrap-anywhere">{entry.note}</p>}
          <EntryActions
            {...props}
            entry={entry}
            shown={shown}
            isSupported={isSupported}
            canPublish={UpdateModelName.safeParse(entry.device).success}
          />
        </div>
      </div>
      <DeskRecords configuration={entry.id} />
    </>
  )
}
