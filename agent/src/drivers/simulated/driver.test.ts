import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readEvents, startFleet } from '../../testing/fleet.ts'
import { newFolder } from '../../testing/folder.ts'
import { sha256 } from '../../testing/publications.ts'
import { pause } from '../../wakeup.ts'
import { type Driver, ReaderRefusal, ReaderUnreachable } from '../driver.ts'
import { changeReader, startSimulatedDriver, stopReaders } from './driver.ts'
import { simulatedFirmware } from './reader.ts'
import { readersSocket } from './readers-socket.ts'

const never = new AbortController().signal
const content = (text: string, kind: 'cfg' | 'file' = 'file') => ({
  publication: '00000000-0000-4000-8000-000000000001',
  kind,
  contentHash: sha256(text),
  version: null,
  fileName: kind === 'cfg' ? null : 'a.js',
  size: text.length,
  open: async function* () {
    yield Buffer.from(text)
  },
})

/** A reader of the fleet. */
const firstReader = async (driver: Driver) => (await driver.list(never))[0]!

test('a reader runs what it was given, also after its process has been ended and started again', async () => {
  const { driver, folder, options } = await startFleet()
  const { serialNumber } = await firstReader(driver)
  const handed: number[] = []
  const text = 'x'.repeat(100_000)
  await driver.apply(serialNumber, content(text), never, (bytes) => handed.push(bytes))
  expect(handed.at(-1)).toBe(100_000)
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
  expect(await stopReaders(folder)).toBe(true)
  const again = await startSimulatedDriver(folder, options, never)
  expect(Number(readFileSync(join(folder, 'pid'), 'utf8'))).not.toBe(pid)
  expect((await again.read(serialNumber, never)).configuration).toEqual({ contentHash: sha256(text), fileName: 'a.js' })
  await again.close()
})

test('a second driver speaks to the same readers', async () => {
  const { driver, folder, options } = await startFleet()
  const pid = readFileSync(join(folder, 'pid'), 'utf8')
  const other = await startSimulatedDriver(folder, options, never)
  expect(readFileSync(join(folder, 'pid'), 'utf8')).toBe(pid)
  expect((await other.list(never)).map(({ serialNumber }) => serialNumber)).toEqual(
    (await driver.list(never)).map(({ serialNumber }) => serialNumber),
  )
  await other.close()
})

test('a reader that is cut off half-way keeps what it had, and says so in its log', async () => {
  const { driver, folder } = await startFleet({ applyMilliseconds: 60_000 })
  const { serialNumber, configuration } = await firstReader(driver)
  const cut = new AbortController()
  const applied = driver.apply(serialNumber, content('y'.repeat(200_000)), cut.signal, (bytes) => {
    if (bytes > 50_000) cut.abort()
  })
  await expect(applied).rejects.toBeInstanceOf(ReaderUnreachable)
  // Reading waits until the reader is done with what it was doing.
  expect((await driver.read(serialNumber, never)).configuration).toEqual(configuration)
  expect(readEvents(folder, serialNumber).map(({ event }) => event)).toEqual(['begin', 'cut'])
})

test('reading a reader that is changing over waits for what it then runs, even when no one waits for the change itself', async () => {
  const { driver, folder } = await startFleet({ applyMilliseconds: 300 })
  const { serialNumber } = await firstReader(driver)
  const applied = driver.apply(serialNumber, content('slow'), never)
  while (readEvents(folder, serialNumber).length === 0) await pause(5, never)
  expect((await driver.read(serialNumber, never)).configuration?.contentHash).toBe(sha256('slow'))
  await applied
})

test.for([
  ['a CFG that is not closed', content('<cfg>', 'cfg'), 'not closed'],
  ['bytes that are not what the hash says', { ...content('a'), contentHash: sha256('b') }, 'damaged'],
  ['what it must refuse', content('simulated-reader: refuse'), 'refuses'],
] as const)('a reader refuses %s, with a reason', async ([, what, reason]) => {
  const { driver, folder } = await startFleet()
  const { serialNumber } = await firstReader(driver)
  const applied = driver.apply(serialNumber, what, never)
  await expect(applied).rejects.toBeInstanceOf(ReaderRefusal)
  await expect(applied).rejects.toThrow(reason)
  expect(readEvents(folder, serialNumber).map(({ event }) => event)).toEqual(['begin', 'refused'])
})

test('a share of the fleet refuses everything, the same readers each time', async () => {
  const { driver } = await startFleet({ readers: 40, failShare: 0.3 })
  const refusing: string[] = []
  for (const { serialNumber } of await driver.list(never))
    await driver.apply(serialNumber, content('z'), never).catch((error: unknown) => {
      expect(error).toBeInstanceOf(ReaderRefusal)
      refusing.push(serialNumber)
    })
  expect(refusing.length).toBeGreaterThan(4)
  expect(refusing.length).toBeLessThan(24)
})

test('a folder with a long name gets a short socket elsewhere', async () => {
  const long = join(newFolder(), 'x'.repeat(60), 'y'.repeat(60))
  await mkdir(long, { recursive: true })
  expect(readersSocket(long)).toMatch(new RegExp(`^${tmpdir()}/lectern-[0-9a-f]{16}\\.sock$`))
  const driver = await startSimulatedDriver(long, { readers: 1, seed: 1, applyMilliseconds: 0, failShare: 0 }, never)
  expect(await driver.list(never)).toHaveLength(1)
  await driver.close()
  await stopReaders(long)
})

test('what a user does with a reader by hand changes what it runs, for good', async () => {
  const { driver, folder, options } = await startFleet()
  const { serialNumber, configuration: delivered, firmware: deliveredFirmware } = await firstReader(driver)
  await driver.apply(serialNumber, content('one'), never)
  await changeReader(folder, serialNumber, 'scan')
  const scanned = (await driver.read(serialNumber, never)).configuration
  expect(scanned).toMatchObject({ contentHash: expect.not.stringMatching(sha256('one')), fileName: null })
  await stopReaders(folder)
  const again = await startSimulatedDriver(folder, options, never)
  expect((await again.read(serialNumber, never)).configuration).toEqual(scanned)
  await changeReader(folder, serialNumber, 'reset')
  expect((await again.read(serialNumber, never)).configuration).toEqual(delivered)
  const firmware = simulatedFirmware('CR2700', '5.1.0')
  await again.apply(serialNumber, { ...content(firmware), kind: 'firmware', version: '5.1.0' }, never)
  expect((await again.read(serialNumber, never)).firmware).toBe('5.1.0')
  await changeReader(folder, serialNumber, 'flash')
  await stopReaders(folder)
  const last = await startSimulatedDriver(folder, options, never)
  expect(await last.read(serialNumber, never)).toMatchObject({ firmware: deliveredFirmware, configuration: delivered })
  await last.close()
  await expect(changeReader(folder, 'NONE', 'scan')).rejects.toThrow('There is no reader NONE.')
})
