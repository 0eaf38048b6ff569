import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { endpoints } from '@lectern/contract/endpoints.ts'
import { defaultBodyBytes, type Endpoint } from '@lectern/contract/http/endpoint.ts'
import { afterAll, expect, test } from 'vitest'
import { manager, northfield, startLoneStack } from '../support/processes/stack.ts'
import { accessToken } from '../support/sign-in.ts'

const atOnce = 24
const loadForMs = 60_000
const largest = 8 * 1024 * 1024

const stack = await startLoneStack()
afterAll(() => stack.stop())

const repeat = (item: string, bytes: number) => `[${`${item},`.repeat(Math.floor((bytes - 2) / (item.length + 1))).slice(0, -1)}]`
const shapes = {
  nested: (bytes: number) => repeat(`${'['.repeat(31)}${']'.repeat(31)}`, bytes),
  flat: (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`,
  wide: (bytes: number) => repeat('[]', bytes),
}
const deepest = `${'['.repeat(largest / 2)}${']'.repeat(largest / 2)}`

const withBody = (Object.entries(endpoints) as [string, Endpoint][]).filter(([, { body }]) => body)

test('[LMT-04] bodies as large and as nested as one account can send them neither stop the portal nor stay in its memory', async () => {
  const token = await accessToken(stack.url, manager)
  const agent = new Agent({ keepAlive: false })
  const statuses = new Map<string, number>()
  const count = (status: string) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const send = ({ method, path }: Endpoint, body: string) =>
    new Promise<void>((resolve) => {
      const address = `${stack.url}${path.replace('{organizationId}', northfield).replace(/\{\w+\}/g, northfield)}`
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), authorization: `Bearer ${token}` }
      const sending = request(address, { method, headers, agent }, (response) => {
        count(String(response.statusCode))
        response.resume().on('close', () => resolve())
      })
      // A refusal may come, and the connection end, before everything is sent.
      sending.on('error', ({ code }: NodeJS.ErrnoException) => {
        count(String(code))
        resolve()
      })
      sending.end(body)
    })

  await Promise.all(withBody.map(([, endpoint]) => send(endpoint, '{}')))
  statuses.clear()
  const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${stack.pid()}/status`, 'utf8'))![1]) / 1024
  const before = resident()
  let peak = before
  const prober = new Worker(new URL('./ask-livez.ts', import.meta.url), { workerData: stack.url })
  const began = performance.now()
  let rounds = 0
  while (rounds === 0 || performance.now() - began < loadForMs) {
    for (const [, endpoint] of withBody) {
      for (const shape of Object.values(shapes)) {
        const body = shape(endpoint.maxBodyBytes ?? defaultBodyBytes)
        await Promise.all(Array.from({ length: atOnce }, () => send(endpoint, body)))
        peak = Math.max(peak, resident())
      }
      await send(endpoint, deepest)
    }
    rounds += 1
  }
  const loaded = (performance.now() - began) / 1_000
  const slowest = await new Promise<{ asked: number; slowestMs: number; failed: number }>((resolve) => {
    prober.once('message', resolve)
    prober.postMessage('end')
  })
  const ended = performance.now()
  while (resident() > before + 200 && performance.now() - ended < 120_000) await pause(1_000)
  const after = resident()
  console.log(
    [
      `${withBody.length} endpoints, ${rounds} rounds in ${loaded.toFixed(0)} s`,
      `statuses: ${[...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')}`,
      `/livez: ${slowest.asked} asked, ${slowest.failed} failed, slowest ${slowest.slowestMs.toFixed(0)} ms`,
      `resident: ${before.toFixed(0)} MB before, ${peak.toFixed(0)} at most, ${after.toFixed(0)} after ${((performance.now() - ended) / 1_000).toFixed(0)} s`,
    ].join('\n'),
  )
  expect(slowest.failed).toBe(0)
  expect(slowest.asked).toBeGreaterThan(100)
  expect(slowest.slowestMs).toBeLessThan(1_000)
  expect([...statuses.keys()].filter((status) => Number(status) >= 500)).toEqual([])
  expect(after - before).toBeLessThan(200)
})
