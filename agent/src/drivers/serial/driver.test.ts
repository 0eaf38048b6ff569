import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { driverOn, newSocket, pluggedReader, serialNumber } from '../../testing/serial/bench.ts'
import { makeCfg, makeFirmware, makeScript } from '../../testing/serial/contents.ts'
import { hasPseudoTerminals } from '../../testing/serial/pseudo-terminal.ts'
import { ReaderRefusal, ReaderUnreachable } from '../driver.ts'
import type { Timing } from './dialect.ts'
import { breakOff } from './xmodem.ts'

const never = new AbortController().signal
const { contentHash } = makeCfg('<cfg><beep>20</beep></cfg>')
const factory = { contentHash, fileName: null }
const large = 'rules_onDecode = (decode) => decode\n'.repeat(1000)

const newBench = (timing: Partial<Timing> = {}) => {
  const plugged = pluggedReader()
  return { ...plugged, ...driverOn([plugged.socket], timing) }
}

describe.skipIf(!hasPseudoTerminals)('a reader on a serial port', () => {
  test('reports what it is and what it runs', async () => {
    const { driver } = newBench()
    const rest = { firmware: '4.12.0', configuration: factory, batteryHealth: 80, warrantyUntil: null, inUse: false }
    expect(await driver.list(never)).toEqual([{ serialNumber, deviceType: 'CR2700', ...rest }])
  })

  test.for([
    ['a golden-standard configuration', makeCfg(`<cfg>\n<name>Station "3" \xe9 / 4</name>${'<a/>'.repeat(2000)}</cfg>\n`)],
    ['a script', makeScript(large, { fileName: 'Bänder ✓ "8".js' })],
    ['a script without a byte', makeScript('')],
  ] as const)('takes over %s, reports its progress and keeps it through a power cut', async ([, content]) => {
    const { driver, reader } = newBench()
    const reported: number[] = []
    await driver.apply(serialNumber, content, never, (bytes) => reported.push(bytes))
    expect(reported).toEqual(reported.toSorted((a, b) => a - b))
    expect(reported.at(-1) ?? 0).toBe(content.size)
    const configuration = { contentHash: content.contentHash, fileName: content.fileName }
    expect((await driver.read(serialNumber, never)).configuration).toEqual(configuration)
    await reader.restart()
    expect((await driver.read(serialNumber, never)).configuration).toEqual(configuration)
    await driver.apply(serialNumber, makeCfg('<cfg></cfg>'), never)
    expect((await driver.read(serialNumber, never)).configuration).toEqual({
      contentHash: makeCfg('<cfg></cfg>').contentHash,
      fileName: null,
    })
  })

  test.for([
    ['disappears', false],
    ['stays', true],
  ] as const)('runs a firmware once it is up again, whose port %s while it restarts', async ([, portStays]) => {
    const { driver, reader } = newBench()
    reader.faults.portStays = portStays
    await driver.apply(serialNumber, makeFirmware('5.1.0', large), never)
    expect(await driver.read(serialNumber, never)).toMatchObject({ firmware: '5.1.0', configuration: factory })
  })

  test('that restarts before it is told to run firmware does not count as running it', async () => {
    const { driver, reader } = newBench()
    let hasStarted = false
    reader.faults.toReader = (bytes) => {
      if (hasStarted || !Buffer.from(bytes).includes('LXFTXRU')) return bytes
      hasStarted = true
      void reader.restart()
      return new Uint8Array()
    }
    await expect(driver.apply(serialNumber, makeFirmware('5.1.0'), never)).rejects.toThrow(ReaderRefusal)
    expect((await driver.read(serialNumber, never)).firmware).toBe('4.12.0')
  })

  test('says no in its own words, before it is sent anything, in the middle and at the end; it keeps what it had', async () => {
    const { driver, reader } = newBench()
    reader.faults.refusal = 'The reader does not leave its locked mode.'
    await expect(driver.apply(serialNumber, makeScript(large), never)).rejects.toThrow(new ReaderRefusal(reader.faults.refusal))
    reader.faults.refusal = null
    reader.faults.arrived = (bytes) => bytes < 4000
    const unfinished = new ReaderRefusal('The file has not come in full.')
    await expect(driver.apply(serialNumber, makeScript(large), never)).rejects.toThrow(unfinished)
    reader.faults.arrived = () => true
    const damaged = { ...makeScript(large), contentHash: 'f'.repeat(64) }
    const reason = new ReaderRefusal('The content arrived damaged at the reader.')
    await expect(driver.apply(serialNumber, damaged, never)).rejects.toThrow(reason)
    await expect(driver.apply(serialNumber, makeCfg('<cfg>'), never)).rejects.toThrow(ReaderRefusal)
    expect((await driver.read(serialNumber, never)).configuration).toEqual(factory)
  })

  test('[AGT-10] that is unplugged half-way keeps what it had, and is found again when it is back; both are logged once', async () => {
    const { driver, reader, socket, log } = newBench()
    reader.faults.arrived = (bytes) => {
      if (bytes >= 4000) reader.unplugFrom(socket)
      return true
    }
    await expect(driver.apply(serialNumber, makeScript(large), never)).rejects.toThrow(ReaderUnreachable)
    expect(await driver.list(never)).toEqual([])
    expect(await driver.list(never)).toEqual([])
    expect(log.lines).toHaveLength(1)
    expect(log.lines[0]).toContain(socket.path)
    await expect(driver.read(serialNumber, never)).rejects.toThrow(ReaderUnreachable)
    reader.faults.arrived = () => true
    reader.plugInto(socket)
    expect((await driver.read(serialNumber, never)).configuration).toEqual(factory)
    await driver.apply(serialNumber, makeScript(large), never)
    expect((await driver.read(serialNumber, never)).configuration?.fileName).toBe('wristband-v8.js')
    expect(log.lines).toEqual([log.lines[0], `${socket.path}: the reader responds again.`])
  })

  test.for([
    ['the driver is closed', 'close'],
    ['the call is given up', 'abort'],
  ] as const)('keeps what it had when %s half-way, and takes the next file', async ([, how]) => {
    const { driver, reader, socket } = newBench()
    const caller = new AbortController()
    let closed: Promise<void> | undefined
    reader.faults.arrived = (bytes) => {
      if (bytes < 4000) return true
      if (how === 'close') closed = driver.close()
      else caller.abort()
      return true
    }
    await expect(driver.apply(serialNumber, makeScript(large), caller.signal)).rejects.toThrow(ReaderUnreachable)
    await closed
    reader.faults.arrived = () => true
    const after = how === 'close' ? driverOn([socket]).driver : driver
    expect((await after.read(serialNumber, never)).configuration).toEqual(factory)
    await after.apply(serialNumber, makeScript(large), never)
    expect((await after.read(serialNumber, never)).configuration?.fileName).toBe('wristband-v8.js')
  })

  test('whose cable drops half-way and that still waits for the rest answers the next question', async () => {
    const { driver, reader } = newBench({ askAgain: 3_600_000, answer: 3_600_000 })
    reader.faults.silence = 3_600_000
    const unheard: number[] = []
    reader.faults.arrived = (bytes) => {
      if (bytes < 4000) return true
      reader.faults.toReader = (lost) => {
        unheard.push(...lost)
        return new Uint8Array()
      }
      return true
    }
    const caller = new AbortController()
    const cutOff = driver.apply(serialNumber, makeScript(large), caller.signal)
    cutOff.catch(() => {})
    await vi.waitUntil(() => unheard.length > 1024, { timeout: 20_000 })
    caller.abort()
    await expect(cutOff).rejects.toThrow(ReaderUnreachable)
    // The driver breaks off; that does not get through either.
    await vi.waitUntil(() => Buffer.from(unheard).includes(Buffer.from(breakOff)), { timeout: 20_000 })
    reader.faults.toReader = (bytes) => bytes
    expect((await driver.read(serialNumber, never)).configuration).toEqual(factory)
  })

  test('counts as in use for a while after a scan', async () => {
    const { reader, socket } = pluggedReader()
    const { driver } = driverOn([socket], { use: 3_600_000 })
    expect(await driver.list(never)).toMatchObject([{ inUse: false }])
    reader.scan('(01)04012345678901\r')
    await vi.waitUntil(async () => (await driver.read(serialNumber, never)).inUse, { timeout: 20_000 })
  })

  test('on two ports is one reader; two readers take over at the same time', async () => {
    const { reader, socket } = pluggedReader()
    const dock = newSocket()
    reader.plugInto(dock)
    const other = pluggedReader({ serialNumber: '15M0000001', model: 'CR1500', battery: null })
    const { driver } = driverOn([socket, dock, other.socket])
    const all = await driver.list(never)
    expect(all.map((one) => [one.serialNumber, one.batteryHealth])).toEqual([
      [serialNumber, 80],
      ['15M0000001', null],
    ])
    const together = new Set<string>()
    const both = Promise.withResolvers<boolean>()
    for (const { serialNumber: serial, faults } of [
      { serialNumber, faults: reader.faults },
      { serialNumber: '15M0000001', faults: other.reader.faults },
    ]) {
      faults.arrived = () => {
        if (together.add(serial).size === 2) both.resolve(true)
        return both.promise
      }
    }
    await Promise.all(all.map((one) => driver.apply(one.serialNumber, makeScript('x'), never)))
    expect(await driver.list(never)).toMatchObject([
      { configuration: { fileName: 'wristband-v8.js' } },
      { configuration: { fileName: 'wristband-v8.js' } },
    ])
  })

  test('is listed as it was last read while it is updated', async () => {
    const { driver, reader } = newBench()
    await driver.list(never)
    const seen = Promise.withResolvers<unknown>()
    reader.faults.arrived = async () => {
      seen.resolve(await driver.list(never))
      return true
    }
    await driver.apply(serialNumber, makeScript('x'), never)
    expect(await seen.promise).toMatchObject([{ serialNumber, configuration: factory }])
  })

  test('that does not answer, or is of an unknown model, is none; that is logged once', async () => {
    const silent = pluggedReader()
    silent.reader.faults.isSilent = true
    const strange = pluggedReader({ model: 'Gadget 9' })
    for (const [{ driver, log }, warning] of [
      [driverOn([silent.socket], { askAgain: 50, answer: 100 }), `No reader responds at ${silent.socket.path}.`],
      [
        driverOn([strange.socket]),
        `The portal does not know the device at ${strange.socket.path}: model "Gadget 9", serial number "${serialNumber}".`,
      ],
    ] as const) {
      expect(await driver.list(never)).toEqual([])
      expect(await driver.list(never)).toEqual([])
      expect(log.lines).toEqual([`Warning: ${warning}`])
    }
  })

  test('is none where what answers does not come to an end', async () => {
    const socket = newSocket()
    socket.plugIn(() => socket.write(Buffer.from('\x01Y\x1d\x02')))
    const { driver, log } = driverOn([socket], { askAgain: 500, answer: 500, wholeAnswer: 500 })
    const babble = setInterval(() => socket.write(Buffer.from('x')), 20)
    onTestFinished(() => clearInterval(babble))
    expect(await driver.list(never)).toEqual([])
    expect(log.lines).toEqual([`Warning: No reader responds at ${socket.path}.`])
  })

  test('that did not answer at first is found later; until then the port is not asked at every look', async () => {
    const { reader, socket } = pluggedReader()
    reader.faults.isSilent = true
    const { driver } = driverOn([socket])
    const patient = driverOn([socket], { askAgain: 50, answer: 100, silentPort: 3_600_000 }).driver
    expect(await patient.list(never)).toEqual([])
    reader.faults.isSilent = false
    let received = 0
    reader.faults.toReader = (bytes) => {
      received += bytes.length
      return bytes
    }
    expect(await patient.list(never)).toEqual([])
    expect(received).toBe(0)
    await patient.close()
    expect(await driver.list(never)).toMatchObject([{ serialNumber }])
    expect(received).toBeGreaterThan(0)
  })

  test('where another one was is not taken for it', async () => {
    const { driver, reader, socket } = newBench()
    await driver.list(never)
    reader.unplugFrom(socket)
    pluggedReader({ serialNumber: '27P0000002' }, socket)
    await expect(driver.apply(serialNumber, makeScript('x'), never)).rejects.toThrow(ReaderUnreachable)
    await expect(driver.read(serialNumber, never)).rejects.toThrow(ReaderUnreachable)
    expect((await driver.read('27P0000002', never)).configuration).toEqual(factory)
  })
})
