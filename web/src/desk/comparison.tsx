import { counted } from '@lectern/contract/text/numbers.ts'
import { Notice } from '../ui/feedback/notice.tsx'
import { compareAnswer } from './answers.ts'

export function Comparison({ sent, text }: { sent: readonly string[]; text: string }) {
  const differences = compareAnswer(sent, text)
  if (differences === null)
    return (
      <Notice>{counted(text.length, 'character')} came. Lectern does not know how to compare such an answer with the configuration.</Notice>
    )
  if (differences.length === 0) return <Notice kind="accent">The reader typed every setting that it was sent.</Notice>
  return (
    <Notice kind="warn">
      {counted(differences.length, 'setting')} came otherwise:{' '}
      <span className="mono wrap-anywhere">
        {differences
          .map(
            ({ name, sent: was, typed }) =>
              `${name} ${was ?? 'factory value'}, typed ${typed === undefined ? 'nothing' : (typed ?? 'factory value')}`,
          )
          .join('; ')}
      </span>
    </Notice>
  )
}
