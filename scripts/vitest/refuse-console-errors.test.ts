import { expect, test, vi } from 'vitest'

test.fails('an unexpected console.error fails the test', () => {
  console.error('something broke')
})

test('an expected one does not', () => {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => {})
  console.error('something broke')
  expect(spy).toHaveBeenCalledWith('something broke')
  spy.mockRestore()
})
