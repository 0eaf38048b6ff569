import type { RefObject } from 'react'
import type { Sort } from './table-columns.ts'

export interface SearchControl {
  state: { search?: string }
  isFiltered: boolean
  show(change: { search: string }, how?: { replace: boolean }): void
  clear(): void
  searchBox: RefObject<HTMLInputElement | null>
}

export interface ListControl extends Omit<SearchControl, 'show'> {
  state: { page: number; size: number; sort: Sort; search?: string }
  show(change: { page?: number; size?: number; sort?: Sort; search?: string }, how?: { replace: boolean }): void
}
