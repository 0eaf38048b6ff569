import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createBench } from '../../testing/bench.ts'
import { makeConfiguration, sha256 } from '../../testing/publications.ts'
import { driverOn, makeCommands, pluggedReader, serialNumber } from '../../testing/serial/bench.ts'
import { hasPseudoTerminals } from '../../testing/serial/pseudo-terminal.ts'
import { newWire } from '../../testing/serial/wire.ts'
import { ReaderRefusal, ReaderUnreachable } from '../driver.ts'
import { CommandDialect } from './command-dialect.ts'
import { shippedDialect } from './dialect-file.ts'
import { usualTiming } from './timing.ts'

const never = new AbortController().signal
const printed = (text: string) => createHash('sha256').update(`${text}\r\n`).digest('hex')
const queries = ['RDRRGMD', 'RDRRGSN', 'RDFWGVS', 'CFG']

function newBench() {
  const plugged = pluggedReader()
  return { ...plugged, ...driverOn([plugged.socket], { quiet: 50, acknowledgement: 200 }) }
}

describe.skipIf(!hasPseudoTerminals)('[NAM-02] a reader of the seven models', () => {
  test('[SER-04] is sent commands one by one with its progress, and keeps them through a power cut', async () => {
    const { driver, reader, talker } = newBench()
    talker.acknowledgement = 'whatever'
    const sent: number[] = []
    await driver.apply(serialNumber, makeCommands('CFR', 'SYAZTCSEN1', 'CDOPSPX"a/2f"'), never, (bytes) => sent.push(bytes))
    expect(talker.commands.filter((command) => !queries.includes(command))).toEqual(['CFR', 'SYAZTCSEN1', 'CDOPSPX"a/2f"', 'CFS'])
    expect(sent).toEqual([4, 15, 29])
    reader.restart()
    const text = '<cfg><beep>20</beep></cfg><SYAZTCEN>1</SYAZTCEN><CDOPPX>"a/2f"</CDOPPX>'
    expect((await driver.read(serialNumber, never)).configuration).toEqual({ contentHash: printed(text), fileName: null })
  })

  test.for([
    // Two looks at the configuration, the commands and the one that saves, two looks again: 150 ms are the silence behind an answer.
    ['no setting is waited for once', [], [150, 150, 1_000, 150, 150, 150, 150, 150, 150, 150]],
    [
      'all settings but one is waited for a second there',
      ['CDVASBT0', 'CDVASBT1', 'CDVASBT2', 'CDVASBT4', 'CFS'],
      [150, 150, 150, 150, 150, 1_000, 150, 150, 150, 150],
    ],
  ] as const)('[SER-04] that answers %s', async ([, answered, expected]) => {
    let printedCount = 0
    const { wire, waits } = newWire((bytes) => {
      const command = Buffer.from(bytes).toString('latin1').slice(4, -2)
      if (command === 'CFG') return Buffer.from(`<cfg>${printedCount++ < 2}</cfg>`)
      return Buffer.from((answered as readonly string[]).includes(command) ? 'ok' : '')
    })
    const dialect = new CommandDialect(shippedDialect, usualTiming)
    const lines = Array.from({ length: 5 }, (_, index) => `CDVASBT${index}`)
    await dialect.apply(wire, makeCommands(...lines), () => {})
    expect(waits).toEqual(expected)
  })

  test('that prints the same configuration afterwards fails, as no response to a setting is published', async () => {
    const { driver, talker } = newBench()
    talker.deaf = 'SYAZTCEN'
    const deaf = driver.apply(serialNumber, makeCommands('SYAZTCSEN1'), never)
    await expect(deaf).rejects.toThrow(ReaderRefusal)
    await expect(deaf).rejects.toThrow(
      /^The reader prints the same configuration as before the commands: it has had these settings already/,
    )
  })

  test('that took the commands and did not print its configuration then is proven by the next try', async () => {
    const { reader, talker, socket } = pluggedReader()
    const { driver } = driverOn([socket], { quiet: 50, acknowledgement: 100, configuration: 200 })
    const content = makeCommands('SYAZTCSEN1')
    reader.faults.fromReader = (bytes) => (talker.commands.includes('CFS') ? new Uint8Array() : bytes)
    await expect(driver.apply(serialNumber, content, never)).rejects.toThrow(ReaderUnreachable)
    reader.faults.fromReader = (bytes) => bytes
    await driver.apply(serialNumber, content, never)
    expect((await driver.read(serialNumber, never)).configuration?.contentHash).toBe(
      printed('<cfg><beep>20</beep></cfg><SYAZTCEN>1</SYAZTCEN>'),
    )
  })

  test('runs commands by their name until its settings change, also for an agent that starts again', async () => {
    const { driver, reader, socket } = newBench()
    const text = 'CFR\nSYAZTCSEN1\n'
    const named = { contentHash: sha256(text), fileName: 'Ward 3, version 2' }
    const bench = await createBench(driver)
    bench.clock.now = Date.UTC(2026, 0, 10, 12, 1)
    await bench.desire({ commands: [makeConfiguration(1, text, { content: 'commands', fileName: named.fileName, atOnce: true })] }, text)
    await bench.look()
    expect(bench.outcomes()).toEqual([{ serialNumber, outcome: 'applied', reason: null }])
    await driver.close()
    const again = await createBench(driverOn([socket], { quiet: 50, acknowledgement: 200 }).driver, { state: bench.folder.path })
    expect((await again.context.driver.read(serialNumber, never)).configuration).toEqual(named)
    reader.restart()
    expect(await again.context.driver.list(never)).toMatchObject([{ configuration: named }])
    await again.context.driver.apply(serialNumber, makeCommands('SYAZTCSEN0'), never)
    expect((await again.context.driver.read(serialNumber, never)).configuration?.contentHash).toBe(makeCommands('SYAZTCSEN0').contentHash)
  })

  test('[SER-01] fails at once, with its own code, where no published command gives it the content', async () => {
    const { driver, talker } = newBench()
    const bench = await createBench(driver)
    bench.clock.now = Date.UTC(2026, 0, 10, 12, 1)
    await bench.desire({ configurations: [makeConfiguration(1, 'x', { fileName: 'a.js', atOnce: true })] }, 'x')
    await bench.look()
    const reason = "It is not possible with this reader's published commands: none gives it a script."
    expect(bench.journal.unsent()).toMatchObject([{ serialNumber, outcome: 'failed', reason, code: 'notPossible' }])
    expect(talker.commands.every((command) => queries.includes(command))).toBe(true)
  })

  test('[SER-01] that waits for its update time, its phase and its download is reported as not possible before all of them', async () => {
    const bench = await createBench(newBench().driver)
    const later = {
      fileName: 'a.js',
      updateTime: '23:00',
      admitted: { rollout: '00000000-0000-4000-8000-000000000001', end: 0 },
      contentHash: sha256('not on this PC'),
    }
    await bench.desire({ configurations: [makeConfiguration(1, 'x', later)] })
    await bench.look()
    expect(bench.journal.unsent()).toMatchObject([{ serialNumber, outcome: 'failed', code: 'notPossible' }])
    await bench.desire({ configurations: [makeConfiguration(2, 'x', { ...later, halted: true })] })
    await bench.look()
    expect(bench.journal.unsent()).toHaveLength(1)
  })
})
