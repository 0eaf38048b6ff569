import * as z from 'zod/mini'

export const pageSizes = [10, 25, 50, 100] as const

const PageNumber = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(10_000_000))
const PageSize = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))

/** `PageNumber`: from 0. */
export const Paging = z.object({ PageNumber: z._default(PageNumber, 0), PageSize: z._default(PageSize, pageSizes[0]) })

/** For lists that return everything where neither is given (decision 9). */
export const OptionalPaging = z.object({ PageNumber: z.optional(PageNumber), PageSize: z.optional(PageSize) })

export const PageFacts = { pageSize: z.int(), pageNumber: z.int(), totalCount: z.int() }
