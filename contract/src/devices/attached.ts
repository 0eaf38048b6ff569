import * as z from 'zod/mini'
import { Line } from '../text/text.ts'
import { Evidence } from './evidence.ts'

/** What a driver can give a reader, as it is stored. */
export const GivenKind = z.enum(['cfg', 'file', 'commands', 'firmware'])

/** As they are stored, added up. */
export const kindBits = { cfg: 1, file: 2, commands: 4, firmware: 8 } as const

/** What a driver may send. `sends`: printable. `source`: the document and page. */
export const DialectCommand = z.object({ sends: Line(250), meaning: Line(200), source: Line(200), evidence: Evidence })
export type DialectCommand = z.infer<typeof DialectCommand>

/** How an agent speaks with readers. `can`: what it can give them. */
export const AttachedDialect = z.object({
  name: Line(32),
  can: z.array(GivenKind).check(z.maxLength(4)),
  commands: z.array(DialectCommand).check(z.maxLength(64)),
})
export type AttachedDialect = z.infer<typeof AttachedDialect>

/**
 * A reader of a model that the portal does not know, in its own words. It is counted apart and gets no publication (SER-01). `firmware`: null
 * where it is not known.
 */
export const OtherReader = z.object({
  serialNumber: Line(64),
  model: Line(64),
  firmware: z.nullable(Line(64)),
  dialect: Line(32),
})
export type OtherReader = z.infer<typeof OtherReader>

/** `says`: a sentence of what is there. */
export const AttachedPort = z.object({ path: Line(255), says: Line(500) })
export type AttachedPort = z.infer<typeof AttachedPort>

export const mostOthers = 100
export const mostPorts = 100

/** What a host PC has at its ports, beside the readers that it reports. */
export const Attached = z.object({
  others: z.array(OtherReader).check(z.maxLength(mostOthers)),
  ports: z.array(AttachedPort).check(z.maxLength(mostPorts)),
  dialects: z.array(AttachedDialect).check(z.maxLength(4)),
})
export type Attached = z.infer<typeof Attached>
