import { foldName } from '@lectern/contract/text/clean-name.ts'
import { type ComponentProps, useId, useMemo, useState } from 'react'
import { classNames } from '../class-names.ts'
import { Input } from './input.tsx'

const mostOffered = 50

interface TypedSelectProps extends Omit<ComponentProps<typeof Input>, 'value' | 'onChange' | 'onBlur'> {
  options: readonly { value: string; label: string; disabled?: boolean }[]
  value: string | undefined
  onChange: (value: string) => void
  onBlur?: (() => void) | undefined
  shown?: string | undefined
  label?: string | undefined
}

/** Chooses one of thousands by name, for which the browser suggests matches. Leaving it with another text keeps the choice. */
export function TypedSelect({ options, value, onChange, shown, label, onBlur, className, ...own }: TypedSelectProps) {
  const offered = useId()
  const [typed, setTyped] = useState<string>()
  const chosen = useMemo(() => options.find((option) => option.value === value)?.label, [options, value])
  const byLabel = useMemo(() => new Map(options.map((option) => [foldName(option.label), option])), [options])
  const matching = useMemo(() => {
    const part = typed === undefined ? undefined : foldName(typed)
    const found = []
    if (part !== undefined)
      for (const option of options) {
        if (found.length === mostOffered) break
        if (!option.disabled && foldName(option.label).includes(part)) found.push(option)
      }
    return found
  }, [options, typed])
  return (
    <span className={classNames('block', className)}>
      <Input
        {...own}
        aria-label={label}
        list={offered}
        autoComplete="off"
        value={typed ?? shown ?? chosen ?? ''}
        onFocus={(event) => event.target.select()}
        onChange={({ target }) => {
          setTyped(target.value)
          const option = byLabel.get(foldName(target.value))
          if (option && !option.disabled) onChange(option.value)
        }}
        onBlur={() => {
          setTyped(undefined)
          onBlur?.()
        }}
      />
      <datalist id={offered}>
        {matching.map((option) => (
          <option key={option.value} value={option.label} />
        ))}
      </datalist>
    </span>
  )
}
