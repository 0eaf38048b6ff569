import { classNames } from './class-names.ts'

/** First letters of the first and the last word of a name, e.g. "NM"; "?" when there is none. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words
  return letters.map((word) => Array.from(word ?? '')[0]?.toLocaleUpperCase('en-US') ?? '').join('') || '?'
}

/** Somebody's initials in a circle. Decoration: the name stands beside it or names the link around it. */
export function Avatar({ name, size = 'small' }: { name: string; size?: 'small' | 'medium' | 'large' }) {
  return (
    <span className={classNames('avatar', size !== 'small' && `avatar-${size}`, !name.trim() && 'avatar-none')} aria-hidden="true">
      {initials(name)}
    </span>
  )
}
