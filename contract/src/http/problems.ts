import * as z from 'zod/mini'

/** RFC 9457 (spec §3). `instance`: the request's id. `field`: a path in the request. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.optional(z.string()),
  instance: z.optional(z.string()),
  /** A `ProblemCode`, or one of a newer server. */
  code: z.optional(z.string()),
  errors: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
})
export type Problem = z.infer<typeof Problem>

export const Message = z.object({ message: z.string() })
export type Message = z.infer<typeof Message>
