import './definition-list.css'
import { Fragment, type ReactNode } from 'react'
import { classNames } from '../class-names.ts'

/** Values are right-aligned, unless `left`. */
export function DefinitionList({ items, left }: { items: readonly (readonly [term: string, value: ReactNode])[]; left?: boolean }) {
  return (
    <dl className={classNames('definition-list', left && 'definition-list-left')}>
      {items.map(([term, value]) => (
        <Fragment key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
