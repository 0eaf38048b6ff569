/** A change of the product that a test must notice. */
export interface Mutation {
  /** The file to break. */
  file: string
  /** Occurs in the file exactly once. */
  text: string
  replacement: string
  testFile: string
  /** The title of the test that must turn red, behind those of its groups, with " > " between. */
  test: string
}

/** Mutations that tests of one file must notice. */
export const of = (testFile: string, mutations: readonly Omit<Mutation, 'testFile'>[]): Mutation[] =>
  mutations.map((mutation) => ({ ...mutation, testFile }))
