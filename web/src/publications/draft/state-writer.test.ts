import { expect, test } from 'vitest'
import { createStateWriter } from './state-writer.ts'

/** A place to write to, whose writes end when the test ends them. */
function slowPlace() {
  const log: string[] = []
  const open: { state: string; end: (failure?: Error) => void }[] = []
  const writer = createStateWriter<string>(
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
  return { log, open, writer }
}

test('writes one after the other, and of those that come during a write only the newest', async () => {
  const { log, open, writer } = slowPlace()
  const first = writer.write('1')
  writer.write('2')
  const third = writer.write('3')
  expect(open.map(({ state }) => state)).toEqual(['1'])
  open[0]?.end()
  await Promise.resolve()
  await Promise.resolve()
  expect(open.map(({ state }) => state)).toEqual(['3'])
  open[0]?.end()
  await Promise.all([first, third])
  expect(log).toEqual(['1', '3'])
})

test('a failed write rejects, and the next one is tried', async () => {
  const { log, open, writer } = slowPlace()
  const failed = writer.write('1')
  open[0]?.end(new Error('no room'))
  await expect(failed).rejects.toThrow('no room')
  const next = writer.write('2')
  open[0]?.end()
  await next
  expect(log).toEqual(['1', '2'])
})

test('after a failed write what came during it is tried, and decides', async () => {
  const { log, open, writer } = slowPlace()
  const first = writer.write('too large')
  const second = writer.write('small')
  open[0]?.end(new Error('no room'))
  await expect.poll(() => open.map(({ state }) => state)).toEqual(['small'])
  open[0]?.end()
  await Promise.all([first, second])
  expect(log).toEqual(['too large', 'small'])
})

test('after a discard nothing is written again, and what was written is removed', async () => {
  const { log, open, writer } = slowPlace()
  writer.write('1')
  writer.write('2')
  const gone = writer.discard()
  open[0]?.end()
  await gone
  await writer.write('3')
  expect(log).toEqual(['1', 'removed'])
})

test('when the page goes, the newest state is written without waiting for its turn', async () => {
  const { log, open, writer } = slowPlace()
  const first = writer.write('1')
  writer.write('2')
  writer.flush()
  expect(open.map(({ state }) => state)).toEqual(['1', '2'])
  open[0]?.end()
  open[0]?.end()
  await first
  writer.flush()
  expect(log).toEqual(['1', '2'])
})

test('what is discarded at rest is removed too', async () => {
  const { log, writer } = slowPlace()
  await writer.discard()
  expect(log).toEqual(['removed'])
})
