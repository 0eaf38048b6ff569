/** A change of the product that a test must notice. */
export interface Mutation {
  /** The file to break. */
  file: string
  /** Is in it exactly once. */
  text: string
  replacement: string
  testFile: string
  /** The test that must turn red, as it is reported: behind its groups, with " > " between. */
  test: string
}

/** Mutations that tests of one file must notice. */
export const of = (testFile: string, mutations: readonly Omit<Mutation, 'testFile'>[]): Mutation[] =>
  mutations.map((mutation) => ({ ...mutation, testFile }))
