import { join } from 'node:path'
import type { Outcome } from '@lectern/contract/hosts.ts'
import { expect, onTestFinished, test } from 'vitest'
import { connectTo } from '../server/client.ts'
import { Journal } from '../state/journal.ts'
import { newFolder } from '../testing/folder.ts'
import { memoryLog } from '../testing/log.ts'
import { json, problem, startPeer } from '../testing/peer.ts'
import { OutcomeReports } from './outcomes.ts'

const publication = '00000000-0000-4000-8000-000000000001'
const outcome = (serialNumber: string): Outcome => ({
  publication,
  serialNumber,
  outcome: 'applied',
  reason: null,
  at: '2026-11-20T12:00:00.000Z',
})
const never = new AbortController().signal
const now = () => new Date('2026-11-20T12:00:05.000Z')

async function createJournal(serials: string[]): Promise<Journal> {
  const journal = await Journal.open(join(newFolder(), 'journal'))
  onTestFinished(() => journal.close())
  await Promise.all(serials.map((serial) => journal.record(outcome(serial))))
  return journal
}

test('[RIT-08] a report says what the clock of the PC says while it is sent', async () => {
  const journal = await createJournal(['A'])
  const peer = await startPeer((_call, response) => json(response, 200, { refused: [] }))
  await new OutcomeReports(connectTo(peer.url, 'c'), journal, memoryLog(), now, () => true).send(never)
  expect(peer.calls[0]!.body).toEqual({ sentAt: '2026-11-20T12:00:05.000Z', outcomes: [outcome('A')] })
})

test('outcomes leave in batches of 500 and wait on until the server has acknowledged them', async () => {
  const journal = await createJournal(Array.from({ length: 1100 }, (_, number) => `R${number}`))
  let calls = 0
  const peer = await startPeer((_call, response) => {
    calls += 1
    if (calls === 2) response.destroy()
    else json(response, 200, { refused: [] })
  })
  const reports = new OutcomeReports(connectTo(peer.url, 'c'), journal, memoryLog(), now, () => true)
  await expect(reports.send(never)).rejects.toThrow('cannot be reached')
  expect(journal.unsent()).toHaveLength(600)
  await reports.send(never)
  expect(journal.unsent()).toEqual([])
  expect(peer.calls.map(({ body }) => (body as { outcomes: unknown[] }).outcomes.length)).toEqual([500, 500, 500, 100])
})

test('an outcome the server will never take is logged and dropped', async () => {
  const journal = await createJournal(['A', 'B'])
  const log = memoryLog()
  const peer = await startPeer((_call, response) =>
    json(response, 200, { refused: [{ publication, serialNumber: 'A', reason: 'No such publication.' }] }),
  )
  await new OutcomeReports(connectTo(peer.url, 'c'), journal, log, now, () => true).send(never)
  expect(journal.unsent()).toEqual([])
  expect(log.lines).toEqual([expect.stringContaining('reader A')])
})

test('an outcome of a reader the server does not know yet waits until the reader has checked in', async () => {
  const journal = await createJournal(['A'])
  let isKnown = false
  const peer = await startPeer((_call, response) =>
    json(response, 200, { refused: isKnown ? [] : [{ publication, serialNumber: 'A', reason: 'No such reader.' }] }),
  )
  const reports = new OutcomeReports(connectTo(peer.url, 'c'), journal, memoryLog(), now, () => isKnown)
  await reports.send(never)
  await reports.send(never)
  expect(peer.calls).toHaveLength(1)
  expect(journal.unsent()).toEqual([outcome('A')])
  isKnown = true
  await reports.send(never)
  expect(peer.calls).toHaveLength(2)
  expect(journal.unsent()).toEqual([])
})

test('one outcome that spoils its report does not hold back the others', async () => {
  const journal = await createJournal(['A', 'B', 'bad', 'C', 'D'])
  const taken: string[] = []
  const log = memoryLog()
  const peer = await startPeer(({ body }, response) => {
    const serials = (body as { outcomes: Outcome[] }).outcomes.map(({ serialNumber }) => serialNumber)
    if (serials.includes('bad')) return json(response, 400, problem(400, 'outcomes.0.serialNumber is not good.'))
    taken.push(...serials)
    json(response, 200, { refused: [] })
  })
  await new OutcomeReports(connectTo(peer.url, 'c'), journal, log, now, () => true).send(never)
  expect(taken).toEqual(['A', 'B', 'C', 'D'])
  expect(journal.unsent()).toEqual([])
  expect(log.lines).toEqual([expect.stringContaining('is not good')])
})
