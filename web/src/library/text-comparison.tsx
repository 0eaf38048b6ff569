import './text-comparison.css'
import { counted } from '@lectern/contract/text/numbers.ts'
import { structuredPatch } from 'diff'
import { useMemo } from 'react'
import type { Side } from './compared-sides.ts'

const mostLines = 2_000
// So that two long texts that have nothing in common do not hold up the page.
const limits = { context: 3, maxEditLength: 5_000 }

interface Line {
  change: string
  text: string
}

const words: Record<string, string> = { '-': 'Only in the first: ', '+': 'Only in the second: ' }

export function TextComparison({ a, b }: { a: Side; b: Side }) {
  const lines = useMemo(() => compareTexts(a.text, b.text), [a.text, b.text])
  const changes = lines?.filter(({ change }) => change === '-' || change === '+').length
  return (
    <>
      <p className="p-4 text-ink-2" role="status">
        {changes === undefined
          ? 'They differ in more lines than can be compared here.'
          : changes === 0
            ? 'No differences'
            : `${counted(changes, 'line')} differ. − is only in ${a.name}, + only in ${b.name}.`}
      </p>
      {lines && lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        <section aria-label="Lines that differ" className="border-t border-rule" tabIndex={0}>
          <ol className="text-comparison">
            {lines.slice(0, mostLines).map(({ change, text }, index) => (
              <li key={index} data-change={change}>
                <span aria-hidden="true">{change === '-' ? '−' : change}</span>
                <span>
                  {words[change] && <span className="sr-only">{words[change]}</span>}
                  {text}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  )
}

/** Line by line, with three lines around each difference. Null for texts that are too different, or none. */
function compareTexts(a: string | null, b: string | null): Line[] | null {
  if (a === null || b === null) return null
  const patch = structuredPatch('', '', a, b, undefined, undefined, limits)
  if (!patch) return null
  return patch.hunks.flatMap((hunk) => [
    { change: '@', text: `Line ${hunk.oldStart}, and ${hunk.newStart}` },
    // A last line without an end is marked by a line that begins with a backslash.
    ...hunk.lines.filter((line) => !line.startsWith('\\')).map((line) => ({ change: line[0] ?? ' ', text: line.slice(1) })),
  ])
}
