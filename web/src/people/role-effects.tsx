import { listEffects, nothingMore } from './permission-words.ts'

export function RoleEffects({ permissions, isLimited }: { permissions: readonly string[]; isLimited?: boolean }) {
  const effects = listEffects(permissions, isLimited)
  if (effects.length === 0) return <p className="text-ink-2">{nothingMore}</p>
  return (
    <ul className="grid max-w-prose list-disc gap-1 pl-5 text-ink-2">
      {effects.map((effect) => (
        <li key={effect}>{effect}</li>
      ))}
    </ul>
  )
}
