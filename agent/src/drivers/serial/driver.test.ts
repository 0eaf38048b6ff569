import { createHook } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  driverOn,
  makeCommands,
  makeContent,
  newSocket,
  pluggedDevice,
  pluggedPacketReader,
  pluggedReader,
  serialNumber,
} from '../../testing/serial/bench.ts'
import { hasPseudoTerminals } from '../../testing/serial/pseudo-terminal.ts'
import { ReaderRefusal, ReaderUnreachable } from '../driver.ts'
import { shippedDialect } from './dialect-file.ts'

const never = new AbortController().signal
const printed = (text: string) => createHash('sha256').update(`${text}\r\n`).digest('hex')
const factory = { contentHash: printed('<cfg><beep>20</beep></cfg>'), fileName: null }
const quick = { dialect: 600, acknowledgement: 100 }

describe.skipIf(!hasPseudoTerminals)('a reader on a serial port', () => {
  test('[SER-03] of the seven models is listed by its plain answers, with what it can be given', async () => {
    const { talker, socket } = pluggedReader()
    const { driver } = driverOn([socket])
    const expected = {
      serialNumber,
      deviceType: 'CR2700',
      firmware: '4.12.0',
      configuration: factory,
      batteryHealth: null,
      warrantyUntil: null,
      can: ['commands'],
      inUse: false,
    }
    expect(await driver.list(never)).toEqual([expected])
    expect(await driver.list(never)).toEqual([expected])
    // At first an answer must come twice, as a scan may pass for one.
    const [first, again] = [talker.commands.slice(0, 8), talker.commands.slice(8)]
    expect(first).toEqual(['RDRRGMD', 'RDRRGMD', 'RDRRGSN', 'RDRRGSN', 'RDFWGVS', 'RDFWGVS', 'CFG', 'CFG'])
    expect(again).toEqual(['RDRRGMD', 'RDRRGSN', 'RDFWGVS', 'CFG'])
    expect(driver.attached!()).toMatchObject({
      others: [],
      ports: [{ path: socket.path, says: `CR2700 ${serialNumber}, dialect "commands".` }],
    })
  })

  test('[AGT-06] at rest has no timer, however many ports are open', async () => {
    const { driver } = driverOn(Array.from({ length: 3 }, (_, index) => pluggedReader({ serialNumber: `27P000000${index}` }).socket))
    const timers = new Set<number>()
    const hook = createHook({
      init: (id, type) => void (type === 'Timeout' && timers.add(id)),
      destroy: (id) => void timers.delete(id),
    }).enable()
    onTestFinished(() => void hook.disable())
    expect(await driver.list(never)).toHaveLength(3)
    // What was cleared is told of after a turn.
    await setImmediate()
    expect(timers.size).toBe(0)
  })

  test.for([
    ['packet mode', {}],
    ['packet mode, its size without what encloses the data', { countsAll: false }],
    ['packet mode, its CRC without the start', { leavesOutStart: true }],
    ['raw mode', { isRaw: true }],
  ] as const)('[SER-01] of the older generation in %s is another model, in its own words', async ([, mode]) => {
    const { talker, socket } = pluggedPacketReader()
    Object.assign(talker, mode)
    const { driver, log } = driverOn([socket], quick)
    expect(await driver.list(never)).toEqual([])
    expect(driver.attached!().others).toEqual([{ serialNumber: '1234567890', model: 'CR1000', firmware: '4634', dialect: 'packets' }])
    expect(await driver.list(never)).toEqual([])
    expect(log.lines).toEqual([])
    expect([...new Set(talker.types)]).toEqual('isRaw' in mode ? ['I'] : ['I', 'Y'])
  })

  test.for([
    ['a model without a published name', '0042', 'Hardware type 0042'],
    ['the published one', '0007', 'CR1000'],
  ] as const)('[SER-01] %s of the older generation', async ([, hardware, model]) => {
    const { talker, socket } = pluggedPacketReader()
    talker.hardware = hardware
    const { driver } = driverOn([socket], quick)
    await driver.list(never)
    expect(driver.attached!().others).toMatchObject([{ model }])
  })

  test('[SER-01] whose model the portal does not know is another model; hostile words are bounded', async () => {
    const { talker, socket } = pluggedReader({ model: 'Gadget 9 <script>', serialNumber: 'x'.repeat(64) })
    const { driver } = driverOn([socket])
    expect(await driver.list(never)).toEqual([])
    expect(driver.attached!().others).toEqual([
      { serialNumber: 'x'.repeat(64), model: 'Gadget 9 <script>', firmware: '4.12.0', dialect: 'commands' },
    ])
    talker.answers = { RDRRGMD: `CR2700\u001b[2J` }
    await driver.close()
    const other = driverOn([socket], quick)
    expect(await other.driver.list(never)).toEqual([])
    expect(other.log.lines).toEqual([
      `Warning: What is at ${socket.path} is no reader that is known. It responds with something that is not published: "CR2700\\1b[2J\\0d\\0a"`,
    ])
    expect(other.driver.attached!().ports).toEqual([{ path: socket.path, says: `What is at ${socket.path} is no reader that is known.` }])
  })

  test.for([
    ['the same to everything', () => 'READY\r\n', '"READY"'],
    ['an echo', (received: Buffer) => received.toString('latin1'), '"\\01Y\\1d\\02RDRRGMD\\03\\04"'],
    ['too much', () => 'x'.repeat(300), `"${'x'.repeat(200)}" and 100 more bytes`],
  ] as const)('[SER-03] a device that answers %s is unknown, with its bytes in the log, once', async ([, answer, bytes]) => {
    const socket = pluggedDevice((received, to) => to.write(Buffer.from(answer(received), 'latin1')))
    const { driver, log } = driverOn([socket], quick)
    expect(await driver.list(never)).toEqual([])
    expect(await driver.list(never)).toEqual([])
    expect(log.lines).toEqual([
      `Warning: What is at ${socket.path} is no reader that is known. It responds with something that is not published: ${bytes}`,
    ])
  })

  test('[SER-03] a device that answers something else each time is logged once', async () => {
    let count = 0
    const socket = pluggedDevice((_, to) => to.write(Buffer.from(`${count++} kg\r\n`)))
    const { driver, log } = driverOn([socket], quick)
    await driver.list(never)
    await driver.list(never)
    expect(log.lines).toEqual([
      `Warning: What is at ${socket.path} is no reader that is known. It responds with something that is not published: "2 kg\\0d\\0a"`,
    ])
  })

  test('[SER-02] that does not answer is asked in both dialects, one after the other with a pause, and then left alone for a minute', async () => {
    const asked: string[] = []
    const socket = pluggedDevice((received) => void asked.push(received[0] === 0x01 ? 'commands' : 'packets'))
    let now = 0
    const pauses: number[] = []
    const clock = { now: () => now, pause: async (milliseconds: number) => void pauses.push(milliseconds) }
    const { driver, log } = driverOn([socket], { ...quick, betweenDialects: 1_000, rest: 60_000 }, { clock })
    // Two looks at the same time ask once.
    await Promise.all([driver.list(never), driver.list(never)])
    expect([...new Set(asked)]).toEqual(['commands', 'packets'])
    expect(asked.lastIndexOf('commands')).toBeLessThan(asked.indexOf('packets'))
    expect(pauses).toEqual([1_000])
    const sent = asked.length
    now = 59_000
    await driver.list(never)
    expect(asked).toHaveLength(sent)
    now = 61_000
    await driver.list(never)
    expect(asked.slice(sent)[0]).toBe('commands')
    // The packets of the look before are long ago.
    expect(pauses).toEqual([1_000, 1_000])
    expect(log.lines).toEqual([`Warning: No reader responds at ${socket.path}.`])
  })

  test('[SER-02] is asked only in the dialect that answered last', async () => {
    const { reader, talker, socket } = pluggedPacketReader()
    const received: Buffer[] = []
    reader.faults.toReader = (bytes) => {
      received.push(Buffer.from(bytes))
      return bytes
    }
    const { driver } = driverOn([socket], quick)
    await driver.list(never)
    expect(received.some((bytes) => bytes.includes('RDRRGMD'))).toBe(true)
    received.length = 0
    await driver.list(never)
    expect(received.some((bytes) => bytes.includes('RDRRGMD'))).toBe(false)
    expect(talker.types.filter((type) => type === 'I')).toHaveLength(2)
  })

  test('[SER-02] is listed beside a port that babbles, which is left alone for a minute', async () => {
    const { socket } = pluggedReader()
    let received = 0
    // In pieces that a pseudo-terminal holds, 66,000 bytes in all.
    const babbling = pluggedDevice((bytes, to) => {
      if (received === 0) for (let piece = 0; piece < 22; piece += 1) setTimeout(() => to.write(Buffer.alloc(3_000, 'x')), 40 * piece)
      received += bytes.length
    })
    let now = 0
    const clock = { now: () => now, pause: async () => {} }
    const { driver, log } = driverOn([babbling, socket], { dialect: 3_000, acknowledgement: 2_000, rest: 60_000 }, { clock })
    expect(await driver.list(never)).toMatchObject([{ serialNumber }])
    expect(log.lines).toEqual([`Warning: What is at ${babbling.path} sends more than 64 kB, and no answer. It is left alone for a minute.`])
    const before = received
    now = 59_000
    expect(await driver.list(never)).toMatchObject([{ serialNumber }])
    expect(received).toBe(before)
    now = 61_000
    await driver.list(never)
    expect(received).toBeGreaterThan(before)
  })

  test('[SER-02] is listed beside one whose answer does not come to an end', async () => {
    const { socket } = pluggedReader()
    const endless = newSocket()
    endless.plugIn(() => {})
    const drip = setInterval(() => endless.write(Buffer.from('x')), 20)
    onTestFinished(() => clearInterval(drip))
    const { driver, log } = driverOn([endless, socket], { dialect: 1_000 })
    expect(await driver.list(never)).toMatchObject([{ serialNumber }])
    expect(log.lines).toHaveLength(1)
    expect(log.lines[0]).toMatch(/is no reader that is known\. It responds with something that is not published: "x+"/)
  })

  test('[AGT-10] that is unplugged is found again when it is back; both are logged once', async () => {
    const { reader, socket } = pluggedReader()
    const { driver, log } = driverOn([socket])
    await driver.list(never)
    reader.unplugFrom(socket)
    expect(await driver.list(never)).toEqual([])
    expect(await driver.list(never)).toEqual([])
    expect(log.lines).toHaveLength(1)
    expect(log.lines[0]).toContain(socket.path)
    await expect(driver.read(serialNumber, never)).rejects.toThrow(ReaderUnreachable)
    reader.plugInto(socket)
    expect((await driver.read(serialNumber, never)).configuration).toEqual(factory)
    await driver.list(never)
    expect(log.lines).toEqual([log.lines[0], `${socket.path}: the reader responds again.`])
  })

  test('that scans while it is asked is listed all the same, and is in use', async () => {
    const { reader, socket } = pluggedReader()
    const { driver } = driverOn([socket], { use: 3_600_000 })
    let scans = 0
    reader.faults.fromReader = (bytes) => (scans++ === 0 ? Buffer.from('04012345678901\r') : bytes)
    expect(await driver.list(never)).toMatchObject([{ serialNumber, deviceType: 'CR2700', inUse: false }])
    expect(driver.attached!().others).toEqual([])
    scans = 0
    expect(await driver.list(never)).toMatchObject([{ serialNumber, inUse: true }])
  })

  test('counts as in use for a while after a scan while nothing is asked', async () => {
    const { reader, socket } = pluggedReader()
    const { driver } = driverOn([socket], { use: 3_600_000 })
    expect(await driver.list(never)).toMatchObject([{ inUse: false }])
    reader.scan('(01)04012345678901\r')
    await vi.waitUntil(async () => (await driver.read(serialNumber, never)).inUse, { timeout: 20_000 })
  })

  test('on two ports is one reader; two readers are two', async () => {
    const { reader, socket } = pluggedReader()
    const dock = newSocket()
    reader.plugInto(dock)
    const other = pluggedReader({ serialNumber: '15M0000001', model: 'CR1500' })
    const { driver } = driverOn([socket, dock, other.socket])
    expect((await driver.list(never)).map((one) => one.serialNumber)).toEqual([serialNumber, '15M0000001'])
  })

  test('where another one was is not taken for it', async () => {
    const { reader, socket } = pluggedReader()
    const { driver } = driverOn([socket])
    await driver.list(never)
    reader.unplugFrom(socket)
    pluggedReader({ serialNumber: '27P0000002' }, socket)
    await expect(driver.apply(serialNumber, makeCommands('SYAZTCSEN1'), never)).rejects.toThrow(ReaderUnreachable)
    expect((await driver.read('27P0000002', never)).configuration).toEqual(factory)
  })

  test.for([
    ['cfg', "It is not possible with this reader's published commands: none gives it a CFG."],
    ['file', "It is not possible with this reader's published commands: none gives it a script."],
    ['firmware', "It is not possible with this reader's published commands: none gives it firmware."],
  ] as const)('[SER-01] of the seven models is given no %s, as none is published', async ([kind, reason]) => {
    const { talker, socket } = pluggedReader()
    const { driver } = driverOn([socket])
    await driver.list(never)
    await expect(driver.apply(serialNumber, makeContent('x', { kind }), never)).rejects.toThrow(new ReaderRefusal(reason))
    expect(talker.commands.every((command) => ['RDRRGMD', 'RDRRGSN', 'RDFWGVS', 'CFG'].includes(command))).toBe(true)
  })

  test('[SER-01] is spoken with as the dialect file says', async () => {
    const { talker, socket } = pluggedReader({ model: 'Code 2700' })
    talker.answers = { RDRRGMD: '\x06Code 2700', RDRRGSN: `\x06${serialNumber}`, RDFWGVS: '\x064.12.0', PMBAGLV: '\x0680' }
    const battery = { sends: 'PMBAGLV', meaning: 'Asks for the battery', source: 'D027153', evidence: 'operator' as const }
    const dialectFile = {
      ...shippedDialect,
      answer: { before: '\x06', after: '\r\n', refusal: '\x15' },
      commands: { ...shippedDialect.commands, battery },
      models: { 'Code 2700': 'CR2700' as const },
    }
    const { driver, announced } = driverOn([socket], {}, { dialectFile })
    expect(await driver.list(never)).toMatchObject([{ serialNumber, deviceType: 'CR2700', batteryHealth: 80 }])
    expect(announced).toContain('The dialect "commands" may send PMBAGLV: Asks for the battery. D027153 (operator).')
    talker.acknowledgement = '\x15not now'
    const refused = driver.apply(serialNumber, makeCommands('SYAZTCSEN1'), never)
    await expect(refused).rejects.toThrow(new ReaderRefusal('The reader refuses the command SYAZTCSEN1: "\\15not now\\0d\\0a"'))
  })
})
