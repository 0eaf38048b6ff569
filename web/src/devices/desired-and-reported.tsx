import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatMinute } from '../lib/format.ts'
import { paths } from '../paths.ts'
import { DefinitionList } from '../ui/layout/definition-list.tsx'

/** What a reader's zone wants, whatever it is. */
interface Publication {
  contentHash: string
  revision: number
  publishedAt: string
  publishedBy?: string | undefined
  updateTime: string
  atOnce: boolean
  rollout: string
}

type Term = [term: string, value: ReactNode]

export const name = (label: string) => <b className="wrap-anywhere">{label}</b>
export const hash = (contentHash: string | undefined): Term[] =>
  contentHash === undefined ? [] : [['SHA-256', <span className="mono wrap-anywhere">{contentHash}</span>]]

/** What is desired beside what is reported; `of` is said to those who do not see the panel that it stands in. */
export function DesiredAndReported({ desired, reported, of }: { desired: ReactNode; reported: ReactNode; of?: string }) {
  return (
    <div className="device-sides">
      <section className="device-side" aria-label={of ? `${of} wanted` : 'Desired by its zone'}>
        <h3>Desired by its zone</h3>
        {desired}
      </section>
      <section className="device-side" aria-label={of ? `${of} reported` : 'Reported by the reader'}>
        <h3>Reported by the reader</h3>
        {reported}
      </section>
    </div>
  )
}

/** A publication that a reader shall have. `what` is Configuration or Firmware, `label` what it is called. */
export function Desired({ what, label, publication }: { what: string; label: string; publication: Publication }) {
  const { contentHash, revision, publishedAt, publishedBy, updateTime, atOnce, rollout } = publication
  const by = publishedBy && (
    <>
      {' '}
      by <span className="wrap-anywhere">{publishedBy}</span>
    </>
  )
  return (
    <DefinitionList
      left
      items={[
        [what, name(label)],
        ...hash(contentHash),
        ['Revision', <Link to={paths.rollout({ id: rollout })}>{revision}, its rollout</Link>],
        [
          'Published',
          <>
            {formatMinute(publishedAt)}
            {by}
          </>,
        ],
        ['Update time', atOnce ? 'At once' : `${updateTime} on the host PC's clock`],
      ]}
    />
  )
}
