import { format } from 'node:util'
import { afterAll, afterEach } from 'vitest'

// An unexpected console.error fails the test it came from. A test that expects one puts its own spy there:
// vi.spyOn(console, 'error').mockImplementation(() => {}), and looks at what it got.
const unexpected: string[] = []
console.error = (...parts: unknown[]) => {
  unexpected.push(format(...parts))
}

function refuse(): void {
  const [first] = unexpected.splice(0)
  if (first !== undefined) throw new Error(`Unexpected console.error: ${first}`)
}

afterEach(refuse)
afterAll(refuse)
