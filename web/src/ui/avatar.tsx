import './layout/top-bar.css'
import { classNames } from './class-names.ts'

/** "NM"; "?" for an empty name. */
export function getInitials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words
  return letters.map((word) => Array.from(word ?? '')[0]?.toLocaleUpperCase('en-US') ?? '').join('') || '?'
}

export function Avatar({ name, size = 'small' }: { name: string; size?: 'small' | 'medium' | 'large' }) {
  return (
    <span className={classNames('avatar', size !== 'small' && `avatar-${size}`, !name.trim() && 'avatar-none')} aria-hidden="true">
      {getInitials(name)}
    </span>
  )
}
