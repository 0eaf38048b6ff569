import type { PreviewPart, RunningContent } from '@lectern/contract/publications/preview.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import type { WizardState } from '../wizard-state.ts'
import { Difference } from './difference.tsx'

const shownFirst = 5

/** The contents that readers run, the most frequent first, each with its difference from what will run. */
export function PartDifferences({ part, state }: { part: PreviewPart; state: WizardState }) {
  const { model, kind, name, running, others } = part
  const [shown, setShown] = useState<string | null>(null)
  const [showsAll, setShowsAll] = useState(false)
  const listed = showsAll ? running : running.slice(0, shownFirst)
  const left = running.slice(listed.length).reduce((sum, { readers }) => sum + readers, others)
  return (
    <li>
      <b>
        {model} {kind}
      </b>{' '}
      will be {name}. {running.length === 0 ? 'No reader is there yet.' : 'Now it is:'}
      <ul className="dry-run-contents">
        {listed.map((content, place) => {
          const location = content.matches ? undefined : content.location
          const isShown = location !== undefined && shown === location
          return (
            // Two contents may have one name.
            <li key={place}>
              <span className="wrap-anywhere">{content.name ?? 'Nothing that is known'}</span>{' '}
              <span className="text-ink-2">on {counted(content.readers, 'reader')}</span> {describeDifference(part, content)}
              {location !== undefined && (
                <Button
                  variant="link"
                  aria-expanded={isShown}
                  aria-label={`${isShown ? 'Hide' : 'Show'} the difference from ${content.name}`}
                  onClick={() => setShown(isShown ? null : location)}
                >
                  {isShown ? 'Hide the difference' : 'Show the difference'}
                </Button>
              )}
              {isShown && <Difference model={model} location={location} choice={state.devices[model]?.config?.choice} name={name} />}
            </li>
          )
        })}
        {(left > 0 || running.length > shownFirst) && (
          <li className="text-ink-2">
            {left > 0 && `and others on ${counted(left, 'reader')} `}
            {running.length > shownFirst && (
              <Button variant="link" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
                {showsAll ? 'Show fewer' : `Show ${running.length - shownFirst} more`}
              </Button>
            )}
          </li>
        )}
      </ul>
    </li>
  )
}

function describeDifference({ kind, name }: PreviewPart, content: RunningContent): string {
  if (content.matches) return '– the same'
  const words = content.name === name ? ['another content of that name'] : []
  if (kind === 'configuration' && content.name !== null && content.location === undefined)
    words.push('its text was not found, so not compared')
  return words.length === 0 ? '' : `– ${words.join(', ')}`
}
