import { afterAll, afterEach, expect } from 'vitest'
import { listUnguarded } from './organization-guard.ts'

// Each statement that the server sends names the organization of every tenant's table in it (OUT-02).
const refuse = () => expect(listUnguarded(), 'statements without an organization').toEqual([])
afterEach(refuse)
afterAll(refuse)
