import { describe, expect, test } from 'vitest'
import { createBench } from '../../testing/bench.ts'
import { makeConfiguration, sha256 } from '../../testing/publications.ts'
import { driverOn, pluggedReader, serialNumber } from '../../testing/serial/bench.ts'
import { makeScript } from '../../testing/serial/contents.ts'
import { hasPseudoTerminals } from '../../testing/serial/pseudo-terminal.ts'
import { ReaderRefusal } from '../driver.ts'

const never = new AbortController().signal
const makeCommands = (...lines: string[]) =>
  makeScript(lines.map((line) => `${line}\n`).join(''), { kind: 'commands', fileName: 'Ward 3, version 2' })
const settingsHash = (text: string) => sha256(text)

function newBench() {
  const plugged = pluggedReader()
  const questions: string[] = []
  plugged.reader.faults.toReader = (bytes) => {
    questions.push(Buffer.from(bytes).toString('latin1').split('\x03').slice(1, -1).join(' '))
    return bytes
  }
  return { ...plugged, ...driverOn([plugged.socket]), questions }
}

describe.skipIf(!hasPseudoTerminals)('[NAM-02] a reader on a serial port', () => {
  test('is sent commands one by one, asked for what it has, and keeps it through a power cut', async () => {
    const { driver, reader, questions } = newBench()
    const sent: number[] = []
    await driver.apply(serialNumber, makeCommands('CFR', 'SYAZTCSEN1', 'CDOPSPX"a/2f"'), never, (bytes) => sent.push(bytes))
    expect(questions.slice(-6)).toEqual(['CFR', 'SYAZTCSEN1', 'CDOPSPX"a/2f"', 'SYAZTCGEN', 'CDOPGPX', 'CFS'])
    expect(sent).toEqual([4, 15, 29])
    await reader.restart()
    const printed = settingsHash('<cfg><beep>20</beep></cfg><SYAZTCEN>1</SYAZTCEN><CDOPPX>a/</CDOPPX>')
    expect((await driver.read(serialNumber, never)).configuration).toEqual({ contentHash: printed, fileName: null })
  })

  test('that refuses a command, or has something else afterwards, fails with the command', async () => {
    const { driver, reader } = newBench()
    const refused = driver.apply(serialNumber, makeCommands('SYAZTCSEN1', 'AGCRXMB'), never)
    await expect(refused).rejects.toThrow(
      new ReaderRefusal('The reader refuses the command AGCRXMB: This reader does not know the command.'),
    )
    reader.faults.deaf = 'SYAZTCEN'
    const deaf = driver.apply(serialNumber, makeCommands('SYAZTCSEN1'), never)
    await expect(deaf).rejects.toThrow(new ReaderRefusal('The reader took SYAZTCSEN1, but has 0.'))
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
    const again = await createBench(driverOn([socket]).driver, { state: bench.folder.path })
    expect((await again.context.driver.read(serialNumber, never)).configuration).toEqual(named)
    await reader.restart()
    expect(await again.context.driver.list(never)).toMatchObject([{ configuration: named }])
    await again.context.driver.apply(serialNumber, makeScript('x'), never)
    expect((await again.context.driver.read(serialNumber, never)).configuration?.fileName).toBe('wristband-v8.js')
  })

  test('that refuses a command for good is returned to what it ran before, as it may have taken the ones before it', async () => {
    const { driver } = newBench()
    const cfg = '<cfg>1</cfg>'
    const bench = await createBench(driver)
    bench.clock.now = Date.UTC(2026, 0, 10, 12, 1)
    const before = makeConfiguration(1, cfg, { content: 'cfg', fileName: 'Ward 3, version 1', atOnce: true })
    await bench.desire({ configurations: [before] }, cfg)
    await bench.look()
    const publish = async (revision: number, text: string) => {
      await bench.desire(
        { commands: [makeConfiguration(revision, text, { content: 'commands', fileName: 'Ward 3, version 2', atOnce: true })] },
        text,
      )
      await bench.lookUntil(() => bench.outcomes().length === revision)
    }
    await publish(2, 'SYAZTCSEN1\nAGCRXMB\n')
    await publish(3, 'AGCRXMB\n')
    const refused = 'The reader refuses the command AGCRXMB: This reader does not know the command.'
    expect(bench.outcomes().slice(1)).toEqual([
      { serialNumber, outcome: 'failed', reason: `${refused} It was returned to Ward 3, version 1.` },
      { serialNumber, outcome: 'failed', reason: `${refused} It runs what it ran before.` },
    ])
    const { configuration } = await bench.context.driver.read(serialNumber, never)
    expect(configuration).toEqual({ contentHash: sha256(cfg), fileName: 'Ward 3, version 1' })
  })

  test('runs a CFG by the name of its version, which a reader cannot tell', async () => {
    const { driver } = newBench()
    const text = '<cfg>1</cfg>'
    const bench = await createBench(driver)
    bench.clock.now = Date.UTC(2026, 0, 10, 12, 1)
    await bench.publish([makeConfiguration(1, text, { content: 'cfg', fileName: 'Ward 3, version 1', atOnce: true }), text])
    await bench.look()
    const { configuration } = await bench.context.driver.read(serialNumber, never)
    expect(configuration).toEqual({ contentHash: sha256(text), fileName: 'Ward 3, version 1' })
  })
})
