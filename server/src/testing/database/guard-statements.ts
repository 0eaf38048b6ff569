import { afterAll, afterEach, expect } from 'vitest'
import { takeNulls } from './null-guard.ts'
import { listUnguarded } from './organization-guard.ts'

// Each statement that the server sends names the organization of every tenant's table in it (OUT-02).
// Rows are what their types say.
const refuse = () => {
  expect(listUnguarded(), 'statements without an organization').toEqual([])
  expect(takeNulls(), 'null columns that are said never to be').toEqual([])
}
afterEach(refuse)
afterAll(refuse)
