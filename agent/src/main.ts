import { hostname } from 'node:os'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { type EnrollOptions, enroll } from './commands/enroll.ts'
import { describeLicence } from './commands/licence-file.ts'
import { type RunOptions, run } from './commands/run.ts'
import { status } from './commands/status.ts'
import { changeReader, type Handling, simulatedDriver, stopReaders } from './drivers/simulated/driver.ts'
import { largestFleet } from './drivers/simulated/fleet.ts'
import { exitCodes, Stop } from './exit-codes.ts'
import { lineLog } from './log.ts'
import { sentence } from './sentence.ts'
import { defaultStateFolder, folderAt } from './state/folder.ts'

const agentVersion = manifest.version
const log = lineLog(process.stdout)
const ending = new AbortController()

/** A number option with its bounds; `isWhole` refuses fractions. */
const number = (least: number, most: number, isWhole = true) => {
  return (text: string): number => {
    const value = Number(text)
    if (text.trim() === '' || !(value >= least && value <= most) || (isWhole && !Number.isInteger(value))) {
      throw new InvalidArgumentError(`Give a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`)
    }
    return value
  }
}

const state = () => new Option('--state <folder>', 'where the agent keeps what it must not forget').default(defaultStateFolder())

const program = new Command('lectern-agent')
  .description('Brings configurations from Lectern to the barcode readers of this PC.')
  .version(agentVersion)
  .exitOverride()
  .showHelpAfterError()

type EnrollFlags = Omit<EnrollOptions, 'agentVersion' | 'timeZone' | 'vendorKey'> & { timeZone?: string; vendorKey?: string }

const vendorKey = () => new Option('--vendor-key <file>', "the vendor's public key, when it is not the one this PC already trusts")

program
  .command('enroll')
  .description("makes this PC a host of the location file's zone")
  .argument('<location-file>', 'the file Location.ctxdm, from "Manage Your Zones"')
  .requiredOption('--server <url>', "the portal's address")
  .addOption(
    new Option('--licence <number|file>', 'a licence number of your organization, or a licence file')
      .env('LECTERN_LICENCE')
      .makeOptionMandatory(),
  )
  .addOption(vendorKey())
  .option('--name <hostname>', "this PC's name on the portal's screens", hostname())
  .option('--time-zone <zone>', "an IANA time zone, when it is not this PC's own")
  .option('--replace', 'leave a former enrolment of the state folder behind', false)
  .addOption(state())
  .action((locationFile: string, { timeZone, vendorKey, ...options }: EnrollFlags) =>
    enroll(locationFile, { ...options, timeZone: timeZone ?? null, vendorKey: vendorKey ?? null, agentVersion }, log, ending.signal),
  )

program
  .command('licence')
  .description('verifies a licence file without asking anybody, and says what it is')
  .argument('<licence-file>', 'the file that the portal has generated')
  .addOption(vendorKey())
  .addOption(state())
  .action(async (file: string, { state, vendorKey = null }: { state: string; vendorKey?: string | null }) => {
    for (const line of await describeLicence(file, { state, vendorKey })) process.stdout.write(`${line}\n`)
  })

interface DriverFlags {
  driver: 'simulated' | 'serial'
  port?: string[]
  baudRate: number
  readers: number
  seed: number
  applyMs: number
  failShare: number
}

const drivers: Record<DriverFlags['driver'], (flags: DriverFlags) => RunOptions['driver']> = {
  simulated:
    ({ readers, seed, applyMs, failShare }) =>
    (folder, _, signal) =>
      simulatedDriver(folder, { readers, seed, failShare, applyMilliseconds: applyMs }, signal),
  serial:
    ({ port, baudRate }) =>
    async (_, log) => {
      // Its library is compiled for the platform, so it is loaded only where it is needed.
      const { serialDriver } = await import('./drivers/serial/driver.ts')
      const { usbPorts } = await import('./drivers/serial/ports.ts')
      return serialDriver({ ports: port ? async () => port : usbPorts, baudRate, log })
    },
}

program
  .command('run')
  .description('keeps the readers up to date until it is stopped')
  .addOption(new Option('--driver <name>', 'how readers are attached').choices(['simulated', 'serial']).default('simulated'))
  .option(
    '--port <path>',
    'serial: a port that a reader hangs on, such as /dev/ttyACM0 or COM3; may be given several times; without it, every serial port on USB is asked',
    (path: string, before: string[] = []) => [...before, path],
  )
  .option('--baud-rate <rate>', 'serial: bits per second', number(300, 4_000_000), 115_200)
  .option('--readers <n>', 'simulated: how many readers', number(0, largestFleet), 20)
  .option('--seed <s>', 'simulated: which fleet; the same seed makes the same one', number(0, 2 ** 31), 1)
  .option('--apply-ms <ms>', 'simulated: how long a reader takes to change over', number(0, 600_000), 400)
  .option('--fail-share <share>', 'simulated: how many of all readers refuse every configuration', number(0, 1, false), 0)
  .option('--poll <seconds>', 'between check-ins, in seconds', number(1, 3600), 60)
  .addOption(state())
  .action(async ({ state, poll, ...flags }: DriverFlags & { state: string; poll: number }) =>
    run({ state, driver: drivers[flags.driver](flags), poll: poll * 1000, agentVersion }, log, ending.signal),
  )

program
  .command('status')
  .description('says what the agent of this PC is doing')
  .addOption(state())
  .action(async (options: { state: string }) => {
    for (const line of await status(options.state, new Date())) process.stdout.write(`${line}\n`)
  })

program
  .command('stop-readers')
  .description('ends the process of the simulated readers; they come back as they were')
  .addOption(state())
  .action(async (options: { state: string }) => {
    const ended = await stopReaders(folderAt(options.state).readers)
    process.stdout.write(ended ? 'The simulated readers have ended.\n' : 'No simulated readers were running.\n')
  })

const handlings = {
  'paper-barcode': 'scan',
  'factory-reset': 'reset',
  'factory-firmware': 'flash',
  working: 'use',
  'putting-it-down': 'put-down',
} satisfies Record<string, Handling>

program
  .command('change-reader')
  .description('simulated: does to a running reader what somebody does who has it in their hand')
  .argument('<serial-number>', 'the reader')
  .addOption(new Option('--by <what>', 'what they do').choices(Object.keys(handlings)).default('paper-barcode'))
  .addOption(state())
  .action(async (serialNumber: string, { by, state }: { by: keyof typeof handlings; state: string }) => {
    await changeReader(folderAt(state).readers, serialNumber, handlings[by])
    process.stdout.write(`${serialNumber} has been changed.\n`)
  })

/** The exit code of a program that has failed, after saying why. */
function failure(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  if (error instanceof Stop) {
    process.stderr.write(`${error.message}\n`)
    return error.exitCode
  }
  process.stderr.write(`lectern-agent ends: ${sentence(error)}\n${error instanceof Error ? `${error.stack}\n` : ''}`)
  return exitCodes.unexpected
}

let asked = 0
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    asked += 1
    // Whoever asks twice does not want to wait for a slow reader; what it was doing is done again next time.
    if (asked > 1) process.exit(exitCodes.unexpected)
    ending.abort()
  })
}
// Started by the launcher of an older Node: ends with it.
if (process.channel) {
  process.on('disconnect', () => ending.abort())
  process.channel.unref()
}
// A log that nobody reads any more is no reason to stop.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = failure(error)
}
process.exit()
