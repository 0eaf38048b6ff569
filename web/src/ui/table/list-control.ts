import type { RefObject } from 'react'
import type { Sort } from './table-columns.ts'

export interface SearchControl {
  state: { search?: string }
  isFiltered: boolean
  show(change: { search: string }, how?: { replace: boolean }): void
  clear(): void
  searchBox: RefObject<HTMLInputElement | null>
}

/** What a list on screen needs to know of its address, and how to change it. */
export interface ListControl extends Omit<SearchControl, 'show'> {
  state: { page: number; size: number; sort: Sort; search?: string }
  show(change: { page?: number; size?: number; sort?: Sort; search?: string }, how?: { replace: boolean }): void
}
