import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { licence, manager, northfield, startStack } from '../support/processes/stack.ts'
import { readerEvents } from '../support/reader-logs.ts'

const [ofOtherPcs, ofOnePc, atOnce] = [50, 50, 4]

interface Ended {
  code: number | null
  output: string
}

/** `dist`: the folder that `package:agent` made. It needs root, as each PC sees a machine id of its own. */
export async function runClones(dist: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-clones-'))
  const stack = await startStack()
  try {
    const api = await stack.api(manager)
    const zoneId = (await api('createZone', { params: { organizationId: northfield, location: 'Cloned' } })).id
    const newId = (name: string) => {
      writeFileSync(join(folder, name), `${randomBytes(16).toString('hex')}\n`)
      return join(folder, name)
    }
    const start = (machineId: string, words: string[], state: string): ChildProcess => {
      const script = 'mount --bind "$1" /etc/machine-id && shift && exec "$@"'
      const program = [join(dist, 'linux-x64/lectern-agent'), ...words, '--state', state]
      const env = { ...process.env, LECTERN_READERS_IDLE_SECONDS: '20' }
      const options: SpawnOptions = { env, stdio: ['ignore', 'pipe', 'pipe'] }
      return spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', machineId, ...program], options)
    }
    /** Runs it until it has printed what is waited for, or has ended. */
    const run = async (machineId: string, words: string[], state: string, until?: string): Promise<Ended> => {
      const child = start(machineId, words, state)
      let output = ''
      for (const stream of [child.stdout!, child.stderr!])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text
          if (until !== undefined && output.includes(until)) child.kill('SIGTERM')
        })
      const [code] = (await once(child, 'close')) as [number | null]
      return { code, output }
    }
    const inTurns = async <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> => {
      const results: T[] = []
      let next = 0
      const lane = async () => {
        while (next < count) {
          const index = next++
          results[index] = await work(index)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, lane))
      return results
    }
    const copy = (name: string) => {
      const state = join(folder, name)
      cpSync(image, state, { recursive: true })
      return state
    }
    const words = (seed: number) => [
      'run',
      '--driver',
      'simulated',
      '--readers',
      '9',
      '--seed',
      String(seed),
      '--apply-ms',
      '0',
      '--poll',
      '2',
      '--check-in',
      '2',
    ]
    const findHost = async () =>
      (
        await stack.sql<{ sequence: number; marked: boolean }>(
          "select sequence, on_two_pcs_at is not null as marked from host where name = 'CLONED-01'",
        )
      )[0]!

    const image = join(folder, 'image')
    mkdirSync(image, { mode: 0o700 })
    writeFileSync(join(folder, 'Location.ctxdm'), zoneId)
    const own = newId('own-id')
    const enroll = ['enroll', join(folder, 'Location.ctxdm'), '--server', stack.url, '--licence', licence, '--name', 'CLONED-01']
    expect(await run(own, enroll, image)).toMatchObject({ code: 0 })

    const before = await findHost()
    const others = await inTurns(ofOtherPcs, (index) => run(newId(`id-${index}`), words(index), copy(`other-${index}`)))
    expect(others.map(({ code }) => code)).toEqual(Array.from({ length: ofOtherPcs }, () => 8))
    expect(await findHost()).toEqual(before)

    const fileName = 'late.js'
    const params = { organizationId: northfield, location: zoneId, device: 'CR2700' } as const
    const states = Array.from({ length: ofOnePc }, (_, index) => copy(`same-${index}`))
    const said = 'Two PCs check in as this host PC'
    const first = await Promise.all(states.slice(0, atOnce).map((state, index) => run(own, words(100 + index), state, said)))
    for (const { output } of first) expect(output).toContain(said)
    expect(await findHost()).toMatchObject({ marked: true })
    const file = new File([`rules_onDecode = (d) => d // ${fileName}`], fileName)
    await api('publishCodeRules', { params, file, fields: { when: 'now' } })
    const rest = await inTurns(ofOnePc, (index) => run(own, words(100 + index), states[index]!, said))
    for (const { output } of rest) expect(output).toContain(said)
    expect(states.flatMap((state) => readerEvents(state).filter(({ event }) => event === 'complete'))).toEqual([])
  } finally {
    await stack.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
