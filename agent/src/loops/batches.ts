import { batchSize } from '@lectern/contract/hosts.ts'

export function* toBatches<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += batchSize) yield all.slice(from, from + batchSize)
}
