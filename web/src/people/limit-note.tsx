import { useIsLimited } from '../lib/session.ts'

/** For lists that are empty or short as the role is limited. */
export const limitSentence = 'Your role is limited to zones: others are not shown.'

export function LimitNote() {
  return useIsLimited() && <p className="text-13 text-ink-2">{limitSentence}</p>
}
