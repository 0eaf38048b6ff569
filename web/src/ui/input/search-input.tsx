import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '../class-names.ts'
import { Input } from './input.tsx'

export function SearchInput({ label, className, ...input }: { label: string } & Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <span className={classNames('search-input', className)}>
      <Search size={16} />
      <Input type="search" aria-label={label} {...input} />
    </span>
  )
}
