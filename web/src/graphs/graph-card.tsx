import { formatNumber } from '@lectern/contract/text/numbers.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { ChartColumn, Table2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { IconButton } from '../ui/button/icon-button.tsx'
import { EmptyState, ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'

type Cell = string | number

type GraphCardProps<Answer> = {
  title: string
  /** What is counted, and of which time. */
  subject: string
  answer: UseQueryResult<Answer>
  isEmpty: (answer: Answer) => boolean
  /** Said where there is nothing to show. */
  empty: string
  chart: (answer: Answer) => ReactNode
  /** The same as a table: its heads, and its rows from the answer. */
  heads: readonly string[]
  rows: (answer: Answer) => Cell[][]
}

/** A graph, its title, and the way to the same numbers as a table. */
export function GraphCard<Answer>({ title, subject, answer, isEmpty, empty, chart, heads, rows }: GraphCardProps<Answer>) {
  const id = useId()
  const [isTable, setTable] = useState(false)
  const { data, error, refetch, isFetching } = answer
  const shows = data !== undefined && !isEmpty(data)
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="graph-head">
        <div>
          <h2 className="heading-3" id={id}>
            {title}
          </h2>
          <p className="text-12 text-ink-3">{subject}</p>
        </div>
        {shows && (
          <IconButton
            small
            icon={isTable ? ChartColumn : Table2}
            label={`View as ${isTable ? 'chart' : 'table'}: ${title}`}
            onClick={() => setTable(!isTable)}
          />
        )}
      </div>
      {data === undefined ? (
        error ? (
          <ErrorPanel
            message="This graph could not be loaded"
            detail={error.message}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        ) : (
          <div className="graph-body" aria-busy="true">
            <Skeleton width={180} />
          </div>
        )
      ) : !shows ? (
        <EmptyState>{empty}</EmptyState>
      ) : isTable ? (
        <GraphTable title={title} heads={heads} rows={rows(data)} />
      ) : (
        <div className="graph-body">{chart(data)}</div>
      )}
    </section>
  )
}

function GraphTable({ title, heads, rows }: { title: string; heads: readonly string[]; rows: readonly Cell[][] }) {
  return (
    <section
      className="graph-table"
      aria-label={`${title} as a table`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
      tabIndex={0}
    >
      <table className="table">
        <thead>
          <tr>
            {heads.map((head, index) => (
              <th key={head} scope="col" className={index > 0 ? 'numeric' : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...others]) => (
            <tr key={first}>
              <th scope="row">{first}</th>
              {others.map((cell, index) => (
                <td key={heads[index + 1]} className="numeric">
                  {typeof cell === 'number' ? formatNumber(cell) : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
