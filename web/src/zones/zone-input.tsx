import { foldName } from '@lectern/contract/text/clean-name.ts'
import type { Zone } from '@lectern/contract/zones.ts'
import { useId, useState } from 'react'
import { Input } from '../ui/input/input.tsx'

interface ZoneInputProps {
  label: string
  placeholder: string
  /** Undefined until they are known. */
  zones: readonly Zone[] | undefined
  chosen: string | undefined
  onChoose: (zone: Zone | undefined) => void
}

const mostOffered = 50

/** Finds a zone by its name, for which the browser suggests matches, as there may be thousands. */
export function ZoneInput({ label, placeholder, zones, chosen, onChoose }: ZoneInputProps) {
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const part = foldName(typed ?? '')
  const matching = zones?.filter((zone) => foldName(zone.name).includes(part)).slice(0, mostOffered) ?? []
  const name = zones?.find((zone) => zone.id === chosen)?.name ?? ''
  return (
    <>
      <Input
        aria-label={label}
        placeholder={placeholder}
        list={id}
        autoComplete="off"
        disabled={!zones}
        value={typed ?? name}
        onChange={({ target: { value } }) => {
          setTyped(value)
          const zone = zones?.find((each) => foldName(each.name) === foldName(value))
          if (zone || value === '') onChoose(zone)
        }}
        onBlur={() => setTyped(undefined)}
      />
      <datalist id={id}>
        {matching.map((zone) => (
          <option key={zone.id} value={zone.name} />
        ))}
      </datalist>
    </>
  )
}
