import type { BuilderDevice, Catalogue, SelectionValue } from '@lectern/contract/barcode/catalogue.ts'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type Choices, isEmpty, noChoices, type Opened, type Outcome, readChoices, toOutcome } from './choices.ts'

export interface Builder {
  choices: Choices
  outcome: Outcome
  opened: Opened
  /** Undefined: the reader's value stays. */
  choose: (id: string, value: SelectionValue | undefined) => void
  setReset: (reset: boolean) => void
  forget: (unknown: string) => void
  clear: () => void
  /** Undoes the last Clear; undefined once something else was chosen. */
  undoClear: (() => void) | undefined
  /** The id of the category or group that is shown. */
  shown: string | null
  show: (placeId: string) => void
}

/** Keeps choices in the page's address, so that a reload, a copied link and the way back from the barcode find them again. */
export function useChoices(catalogue: Catalogue, device: BuilderDevice): Builder {
  const [address, setAddress] = useSearchParams()
  const [opened] = useState(() => readChoices(catalogue, device, address.get('config')))
  const [choices, setChoices] = useState(opened.choices)
  const [shown, setShown] = useState(address.get('show'))
  const [cleared, setCleared] = useState<Choices>()
  const outcome = useMemo(() => toOutcome(catalogue, device, choices), [catalogue, device, choices])

  function write(next: Choices, place: string | null) {
    const { commands } = toOutcome(catalogue, device, next)
    const entries = [
      ['config', commands.length > 0 ? JSON.stringify(commands) : null],
      ['show', place],
    ].filter(([, value]) => value !== null)
    setAddress(entries as [string, string][], { replace: true, preventScrollReset: true })
  }

  function change(next: Choices) {
    setChoices(next)
    setCleared(undefined)
    write(next, shown)
  }

  return {
    choices,
    outcome,
    opened,
    choose(id, value) {
      const { [id]: _, ...others } = choices.selection
      change({ ...choices, selection: value === undefined ? others : { ...others, [id]: value } })
    },
    setReset: (reset) => change({ ...choices, reset }),
    forget: (unknown) => change({ ...choices, unknown: choices.unknown.filter((command) => command !== unknown) }),
    clear() {
      change(noChoices)
      setCleared(choices)
    },
    undoClear: cleared && isEmpty(choices) ? () => change(cleared) : undefined,
    shown,
    show(placeId) {
      setShown(placeId)
      write(choices, placeId)
    },
  }
}
