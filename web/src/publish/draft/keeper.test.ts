import { expect, test } from 'vitest'
import { createKeeper } from './keeper.ts'

/** A slow place to write to, whose writes end when the test says so. */
function slowPlace() {
  const log: string[] = []
  const open: { state: string; end: (failure?: Error) => void }[] = []
  const keeper = createKeeper<string>(
    (state) =>
      new Promise((resolve, reject) => {
        open.push({
          state,
          end: (failure) => {
            log.push(state)
            open.shift()
            if (failure) reject(failure)
            else resolve()
          },
        })
      }),
    async () => {
      log.push('removed')
    },
  )
  return { log, open, keeper }
}

test('writes one after the other, and of those that come meanwhile only the newest', async () => {
  const { log, open, keeper } = slowPlace()
  const first = keeper.keep('1')
  keeper.keep('2')
  const third = keeper.keep('3')
  expect(open.map(({ state }) => state)).toEqual(['1'])
  open[0]?.end()
  await Promise.resolve()
  await Promise.resolve()
  expect(open.map(({ state }) => state)).toEqual(['3'])
  open[0]?.end()
  await Promise.all([first, third])
  expect(log).toEqual(['1', '3'])
})

test('a failed write is told, and the next one is tried', async () => {
  const { log, open, keeper } = slowPlace()
  const failed = keeper.keep('1')
  open[0]?.end(new Error('no room'))
  await expect(failed).rejects.toThrow('no room')
  const next = keeper.keep('2')
  open[0]?.end()
  await next
  expect(log).toEqual(['1', '2'])
})

test('what is discarded is removed last and never written again', async () => {
  const { log, open, keeper } = slowPlace()
  keeper.keep('1')
  keeper.keep('2')
  const gone = keeper.discard()
  open[0]?.end()
  await gone
  await keeper.keep('3')
  expect(log).toEqual(['1', 'removed'])
})

test('when the page goes, the newest state is written without waiting for its turn', async () => {
  const { log, open, keeper } = slowPlace()
  const first = keeper.keep('1')
  keeper.keep('2')
  keeper.flush()
  expect(open.map(({ state }) => state)).toEqual(['1', '2'])
  open[0]?.end()
  open[0]?.end()
  await first
  keeper.flush()
  expect(log).toEqual(['1', '2'])
})
