import './avatar.css'
import type { CSSProperties } from 'react'
import { classNames } from './class-names.ts'

/** "NM"; "?" for an empty name. */
export function getInitials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words
  return letters.map((word) => Array.from(word ?? '')[0]?.toLocaleUpperCase('en-US') ?? '').join('') || '?'
}

const hues = 12

/** Degrees from a name, always the same for it, so that two people with equal initials differ. */
export function getHue(name: string): number {
  let hash = 0
  for (const character of name.trim()) hash = (Math.imul(hash, 31) + character.codePointAt(0)!) >>> 0
  return (hash % hues) * (360 / hues)
}

export function Avatar({ name, size = 'small' }: { name: string; size?: 'small' | 'medium' | 'large' }) {
  return (
    <span
      className={classNames('avatar', size !== 'small' && `avatar-${size}`, name.trim() ? 'avatar-person' : 'avatar-none')}
      style={{ '--avatar-hue': getHue(name) } as CSSProperties}
      aria-hidden="true"
    >
      {getInitials(name)}
    </span>
  )
}
