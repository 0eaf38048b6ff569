import { endpoints as contract, type Endpoints } from '@lectern/contract/endpoints.ts'
import type { Endpoint } from '@lectern/contract/http/endpoint.ts'
import { type Shape, toShape } from '@lectern/contract/http/shape.ts'
import { endpoints } from './endpoints.ts'

/** Shapes of the replies that no first page reads. The build replaces this module by its values, as it does `endpoints.ts`. */
export const shapes: Readonly<Record<string, Shape>> = Object.fromEntries(
  Object.entries(endpoints)
    .filter(([, { hasLaterShape }]) => hasLaterShape)
    .map(([name]) => [name, toShape((contract[name as keyof Endpoints] as Endpoint).response!)]),
)
