import '../ui/table/table.css'
import '../ui/layout/panel.css'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { ChartColumn, Table2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { IconButton } from '../ui/button/icon-button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { type Query, QueryStates } from '../ui/feedback/query-states.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'

type Cell = string | number

interface GraphCardProps<Data> {
  title: string
  subject: string
  query: Query<Data>
  isEmpty: (data: Data) => boolean
  empty: string
  chart: (data: Data) => ReactNode
  heads: readonly string[]
  rows: (data: Data) => Cell[][]
  /** The chart's height in rem, which is kept free while it loads. */
  height?: number
}

export function GraphCard<Data>({ title, subject, query, isEmpty, empty, chart, heads, rows, height }: GraphCardProps<Data>) {
  const id = useId()
  const [isTable, setTable] = useState(false)
  const hasData = query.data !== undefined && !isEmpty(query.data)
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="graph-head">
        <div>
          <h2 className="heading-3" id={id}>
            {title}
          </h2>
          <p className="text-12 text-ink-3">{subject}</p>
        </div>
        {hasData && (
          <IconButton
            small
            icon={isTable ? ChartColumn : Table2}
            label={`View as ${isTable ? 'chart' : 'table'}: ${title}`}
            onClick={() => setTable(!isTable)}
          />
        )}
      </div>
      <QueryStates query={query} failed="Error loading this graph" loading={<Loading height={height} />}>
        {(data) => {
          if (isEmpty(data)) return <EmptyState>{empty}</EmptyState>
          return isTable ? <GraphTable title={title} heads={heads} rows={rows(data)} /> : <div className="graph-body">{chart(data)}</div>
        }}
      </QueryStates>
    </section>
  )
}

const Loading = ({ height }: { height: number | undefined }) => (
  <div className="graph-body" aria-busy="true" style={height === undefined ? undefined : { minHeight: `${height}rem` }}>
    <Skeleton width={180} />
  </div>
)

interface GraphTableProps {
  title: string
  heads: readonly string[]
  rows: readonly Cell[][]
}

function GraphTable({ title, heads, rows }: GraphTableProps) {
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
