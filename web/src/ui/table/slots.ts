import { useState } from 'react'

type Slots = ReadonlyMap<string, number>

/** Ids that stay keep their slots; new ones take the first free slots. */
export function assignSlots(before: Slots, ids: readonly string[]): Slots {
  const taken = new Set(ids.flatMap((id) => before.get(id) ?? []))
  let free = 0
  const take = () => {
    while (taken.has(free)) free += 1
    taken.add(free)
    return free
  }
  return new Map(ids.map((id) => [id, before.get(id) ?? take()]))
}

/** Keys under which elements of rows that go are used for rows that come. Rendering again with the same ids gives the same keys. */
export function useSlots(ids: readonly string[]): readonly number[] {
  const [kept] = useState<{ slots: Slots }>({ slots: new Map() })
  kept.slots = assignSlots(kept.slots, ids)
  return ids.map((id) => kept.slots.get(id)!)
}
