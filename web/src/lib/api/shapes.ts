import { endpoints as contract, type Endpoints } from '@lectern/contract/endpoints.ts'
import type { Endpoint } from '@lectern/contract/http/endpoint.ts'
import { type Shape, toShape } from '@lectern/contract/http/shape.ts'
import { endpoints } from './endpoints.ts'

/** Of the replies that no first page reads. The build puts the values in the place of this module, as of `endpoints.ts`. */
export const shapes: Readonly<Record<string, Shape>> = Object.fromEntries(
  Object.entries(endpoints)
    .filter(([, { hasLaterShape }]) => hasLaterShape)
    .map(([name]) => [name, toShape((contract[name as keyof Endpoints] as Endpoint).response!)]),
)
