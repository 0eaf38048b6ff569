import './figures.css'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import type { ReactNode } from 'react'

/** "12 | get back what they had | 3 of them go to an older version." */
export type Figure = readonly [readers: number, what: string, why: string]

export const Figures = ({ label, figures }: { label: string; figures: readonly Figure[] }) => (
  <dl className="figures" aria-label={label}>
    {figures.map(([readers, what, why]) => (
      <div key={what}>
        <dt>{formatNumber(readers)}</dt>
        <dd>
          {what}
          {why !== '' && <span>{why}</span>}
        </dd>
      </div>
    ))}
  </dl>
)

export const FigureList = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className="figure-list" aria-label={label}>
    {children}
  </ul>
)

export const kindNames = { configuration: 'Configuration', firmware: 'Firmware' }

export const describeOlder = (older: number): string => (older === 0 ? '' : `${formatNumber(older)} of them go to an older version.`)
