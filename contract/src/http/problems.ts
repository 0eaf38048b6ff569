import * as z from 'zod/mini'

/** Problem details, RFC 9457 (spec §3). `instance` is the request's id. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.optional(z.string()),
  instance: z.optional(z.string()),
  /** Where in the request it went wrong: a field's path and a sentence. */
  errors: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
})
export type Problem = z.infer<typeof Problem>

/** An answer that is only a sentence (spec §3). */
export const Message = z.object({ message: z.string() })
export type Message = z.infer<typeof Message>
