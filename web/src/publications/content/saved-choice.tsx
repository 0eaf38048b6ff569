import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { versionName } from '@lectern/contract/publications/version-name.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useOrganization } from '../../lib/active-organization.ts'
import { q } from '../../lib/api/query.ts'
import { formatMinute } from '../../lib/format.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { QueryStates } from '../../ui/feedback/query-states.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/input/select.tsx'
import type { SavedConfig } from './choices.ts'

interface SavedChoiceProps {
  device: UpdateModel
  config: SavedConfig
  onChange: (config: SavedConfig) => void
}

export function SavedChoice({ device, config, onChange }: SavedChoiceProps) {
  const library = useQuery(q('listLibrary', { params: { organizationId: useOrganization() } }))
  return (
    <QueryStates query={library} failed="Error loading the saved configurations">
      {(all) => {
        const entries = all.filter((entry) => entry.device === device)
        const chosen = entries.find(({ id }) => id === config.id)
        const isGone = config.id !== null && !chosen
        if (entries.length === 0 && !isGone)
          return (
            <EmptyState action={<Link to={paths.library()}>Open the library</Link>}>No saved configuration is for the {device}.</EmptyState>
          )
        return (
          <div className="grid gap-4">
            {isGone && <Notice kind="warn">{config.name} is no longer in the library. Choose another one.</Notice>}
            <Field label="Saved configuration">
              <Select
                placeholder="Choose one"
                options={entries.map(({ id, name }) => ({ value: id, label: name }))}
                value={chosen?.id}
                onChange={(id) => {
                  const entry = entries.find((one) => one.id === id)
                  if (entry) onChange({ type: 'saved', id, version: entry.version, name: versionName(entry.name, entry.version) })
                }}
              />
            </Field>
            {chosen && <VersionChoice id={chosen.id} name={chosen.name} config={config} onChange={onChange} />}
            {chosen?.note && <p className="whitespace-pre-line wrap-anywhere text-ink-2">{chosen.note}</p>}
          </div>
        )
      }}
    </QueryStates>
  )
}

function VersionChoice({ id, name, config, onChange }: { id: string; name: string } & Omit<SavedChoiceProps, 'device'>) {
  const entry = useQuery(q('getLibraryEntry', { params: { organizationId: useOrganization(), id } }))
  return (
    <QueryStates query={entry} failed="Error loading the versions">
      {({ versions }) => (
        <Field label="Version">
          <Select
            options={versions.map(({ number, savedAt }) => ({
              value: String(number),
              label: `Version ${number}, ${formatMinute(savedAt)}`,
            }))}
            value={config.version === null ? undefined : String(config.version)}
            onChange={(number) => onChange({ type: 'saved', id, version: Number(number), name: versionName(name, Number(number)) })}
          />
        </Field>
      )}
    </QueryStates>
  )
}
