import type { PreviewPart, Running } from '@lectern/contract/publications/preview.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import type { WizardState } from '../wizard-state.ts'
import { Difference } from './difference.tsx'

const shownFirst = 5

/** What readers run, the most frequent first, and each one's difference from what will run. */
export function PartDifferences({ part, state }: { part: PreviewPart; state: WizardState }) {
  const { model, kind, name, runs, others } = part
  const [shown, setShown] = useState<string | null>(null)
  const [showsAll, setShowsAll] = useState(false)
  const listed = showsAll ? runs : runs.slice(0, shownFirst)
  const left = runs.slice(listed.length).reduce((sum, { readers }) => sum + readers, others)
  return (
    <li>
      <b>
        {model} {kind}
      </b>{' '}
      will be {name}. {runs.length === 0 ? 'No reader is there yet.' : 'Now it is:'}
      <ul className="dry-run-runs">
        {listed.map((run, place) => {
          const location = run.matches ? undefined : run.location
          const isShown = location !== undefined && shown === location
          return (
            // Two contents may have one name.
            <li key={place}>
              <span className="wrap-anywhere">{run.name ?? 'Nothing that is known'}</span>{' '}
              <span className="text-ink-2">on {counted(run.readers, 'reader')}</span> {describeRun(part, run)}
              {location !== undefined && (
                <Button
                  variant="link"
                  aria-expanded={isShown}
                  aria-label={`${isShown ? 'Hide' : 'Show'} the difference from ${run.name}`}
                  onClick={() => setShown(isShown ? null : location)}
                >
                  {isShown ? 'Hide the difference' : 'Show the difference'}
                </Button>
              )}
              {isShown && <Difference model={model} location={location} choice={state.devices[model]?.config?.choice} name={name} />}
            </li>
          )
        })}
        {(left > 0 || runs.length > shownFirst) && (
          <li className="text-ink-2">
            {left > 0 && `and others on ${counted(left, 'reader')} `}
            {runs.length > shownFirst && (
              <Button variant="link" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
                {showsAll ? 'Show fewer' : `Show ${runs.length - shownFirst} more`}
              </Button>
            )}
          </li>
        )}
      </ul>
    </li>
  )
}

function describeRun({ kind, name }: PreviewPart, run: Running): string {
  if (run.matches) return '– the same'
  const words = run.name === name ? ['another content of that name'] : []
  if (kind === 'configuration' && run.name !== null && run.location === undefined)
    words.push('published to none of the zones where it runs, so not compared')
  return words.length === 0 ? '' : `– ${words.join(', ')}`
}
