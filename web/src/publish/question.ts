/** A question somebody has on a wizard's page, and its answer. */
export type Question = { topic: 'cfg' | 'file' | 'firmware'; question: string; answer: string }
