import { authorization } from './authorization.ts'
import type { Mutation } from './by-hand.ts'
import { database } from './database.ts'
import { rollouts } from './rollouts.ts'

/** All mutations that are written down by hand. */
export const mutations: readonly Mutation[] = [...authorization, ...database, ...rollouts]
