import { useState } from 'react'

type Slots = ReadonlyMap<string, number>

/** Who stays keeps their slot, who comes takes the first that is free. */
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

/** Keys under which the elements of rows that go serve rows that come. Rendered again with the same ids, they are the same. */
export function useSlots(ids: readonly string[]): readonly number[] {
  const [kept] = useState<{ slots: Slots }>({ slots: new Map() })
  kept.slots = assignSlots(kept.slots, ids)
  return ids.map((id) => kept.slots.get(id)!)
}
