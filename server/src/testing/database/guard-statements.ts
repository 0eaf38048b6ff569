import { afterAll, afterEach, expect } from 'vitest'
import { takeNulls } from './null-guard.ts'
import { listUnguarded } from './organization-guard.ts'

// Refuses statements of the server that do not name the organization of each tenant's table in them (OUT-02), and rows that are not what
// their types say.
const refuse = () => {
  expect(listUnguarded(), 'statements without an organization').toEqual([])
  expect(takeNulls(), 'null columns that are said never to be').toEqual([])
}
afterEach(refuse)
afterAll(refuse)
