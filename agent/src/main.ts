import { hostname } from 'node:os'
import { exitCodes } from '@lectern/contract/exit-codes.ts'
import { checkInMinutes } from '@lectern/contract/hosts.ts'
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { visiblePassword } from './commands/connection-flags.ts'
import { type EnrollOptions, enroll } from './commands/enroll.ts'
import { describeLicence } from './commands/licence-file.ts'
import { type RunOptions, run } from './commands/run.ts'
import { simulate } from './commands/simulate.ts'
import { explainStates, status } from './commands/status.ts'
import { takeOver } from './commands/take-over.ts'
import { readDialectFile } from './drivers/serial/dialect-file.ts'
import { changeReader, type ManualChange, startSimulatedDriver, stopReaders } from './drivers/simulated/driver.ts'
import { largestFleet } from './drivers/simulated/fleet.ts'
import { findInstalled } from './installed.ts'
import { createLog } from './log.ts'
import { sentence } from './sentence.ts'
import { defaultStateFolder, openFolder } from './state/folder.ts'
import { whenFree } from './state/lock.ts'
import { readMachineId } from './state/machine.ts'
import { Stop } from './stop.ts'
import { askService, serviceWords } from './windows-service.ts'

const agentVersion = manifest.version
const mostCheckIn = 60 * checkInMinutes
const log = createLog(process.stdout)
const ending = new AbortController()

const number = (least: number, most: number, isWhole = true) => {
  return (text: string): number => {
    const value = Number(text)
    if (text.trim() === '' || !(value >= least && value <= most) || (isWhole && !Number.isInteger(value))) {
      throw new InvalidArgumentError(`Give a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`)
    }
    return value
  }
}

const repeated = (value: string, before: string[] = []): string[] => [...before, value]

const state = () => new Option('--state <folder>', 'the state folder').default(findInstalled()?.state ?? defaultStateFolder())

const program = new Command('lectern-agent')
  .description('Updates the barcode readers of this PC from Lectern.')
  .version(agentVersion)
  .exitOverride()
  .showHelpAfterError()

const driverNames = {
  serial: 'readers on serial ports of this PC',
  simulated: 'readers that do not exist, for trying out',
}

type EnrollFlags = Omit<EnrollOptions, 'agentVersion' | 'server' | 'licence' | 'timeZone' | 'vendorKey'> & {
  server?: string
  licence?: string
  timeZone?: string
  vendorKey?: string
  from?: string
  proxyPassword?: string
}

const vendorKey = () => new Option('--vendor-key <file>', "the vendor's public key, where it is not the one that this PC trusts")

program
  .command('enroll')
  .description("enrolls this PC in the location file's zone")
  .argument('[location-file]', 'the file Location.ctxdm, from "Manage Your Zones"')
  .option('--server <url>', "the portal's address")
  .addOption(
    new Option('--licence <number|file>', 'a licence number of your organization, or a file with a licence or its number').env(
      'LECTERN_LICENCE',
    ),
  )
  .addOption(vendorKey())
  .option('--name <hostname>', "this PC's name on the portal's screens", hostname())
  .option('--time-zone <zone>', "an IANA time zone, where it is not this PC's own")
  .addOption(
    new Option('--driver <name>', 'the driver that "run" will be given, so that the portal knows it at once').choices(
      Object.keys(driverNames),
    ),
  )
  .option(
    '--proxy <url>',
    'the proxy on the way to the portal, such as http://proxy.example:3128, or http://USER@… where it asks for a password; kept; default: HTTPS_PROXY, unless NO_PROXY has the portal',
  )
  .option('--proxy-password-file <file>', "a file with the proxy's password, or - for the standard input; kept")
  .addOption(new Option('--proxy-password <password>', 'is refused, with the reason').hideHelp())
  .option('--no-proxy', 'forget the proxy of an earlier enrollment')
  .option('--ca <file>', 'certificates (PEM or DER) of authorities to trust beside those of this PC; their content is kept')
  .option('--no-ca', 'forget the authorities of an earlier enrollment')
  .option('--allow-http', 'allow an address without encryption, and keep that', false)
  .option('--replace', 'drop the enrollment in the state folder', false)
  .option('--from <folder>', 'take over the enrollment of an earlier state folder of this PC, in place of a location file')
  .addOption(state())
  .action(async (locationFile: string | undefined, { from, proxyPassword, ...options }: EnrollFlags, command: Command) => {
    if (proxyPassword !== undefined) throw new Stop('usage', visiblePassword)
    if (from !== undefined) {
      if (locationFile !== undefined) throw new Stop('usage', 'Give a location file or --from, not both.')
      const { proxy, proxyPasswordFile, ca } = options
      if (proxy !== undefined || proxyPasswordFile !== undefined || ca !== undefined)
        throw new Stop('usage', 'With --from the proxy and the authorities are those of the earlier folder. Enroll again to change them.')
      return await takeOver(from, options.state, readMachineId, log)
    }
    const { server, licence, timeZone = null, vendorKey = null, ...rest } = options
    if (locationFile === undefined)
      throw new Stop('usage', 'Name the location file: "lectern-agent enroll Location.ctxdm --server … --licence …".')
    if (server === undefined) throw new Stop('usage', "Give the portal's address with --server.")
    if (licence === undefined) throw new Stop('usage', 'Give a licence with --licence.')
    const isArgument = command.getOptionValueSource('licence') === 'cli'
    const given = { ...rest, server, licence, isArgument, timeZone, vendorKey, agentVersion, readMachineId }
    await enroll(locationFile, given, log, ending.signal)
  })

program
  .command('licence')
  .description('verifies a licence file offline and shows its content')
  .argument('<licence-file>', 'a file from the portal')
  .addOption(vendorKey())
  .addOption(state())
  .action(async (file: string, { state, vendorKey = null }: { state: string; vendorKey?: string | null }) => {
    const lines = await describeLicence(file, { state, vendorKey })
    process.stdout.write(`${lines.join('\n')}\n`)
  })

interface DriverFlags {
  driver?: keyof typeof driverNames
  port?: string[]
  baudRate: number
  dialectFile?: string
  readers: number
  seed: number
  applyMs: number
  failShare: number
}

interface RunFlags {
  state: string
  poll: number
  checkIn: number
  untilInputEnds: boolean
}

const drivers: Record<keyof typeof driverNames, (flags: DriverFlags) => RunOptions['driver']> = {
  simulated:
    ({ readers, seed, applyMs, failShare }) =>
    (folder, _, signal) =>
      startSimulatedDriver(folder, { readers, seed, failShare, applyMilliseconds: applyMs }, signal),
  serial:
    ({ port, baudRate, dialectFile }) =>
    async (_, log) => {
      // Loaded only when needed, as its library is compiled per platform.
      const { listUsbReaders, SerialDriver, usbPorts } = await import('./drivers/serial/driver.ts').catch((error: unknown) => {
        throw new Stop('nativePart', `Serial ports cannot be used. ${sentence(error)}`, error)
      })
      return new SerialDriver({
        ports: port ? async () => port : usbPorts,
        baudRate,
        log,
        ...(dialectFile && { dialectFile: await readDialectFile(dialectFile) }),
        ...(listUsbReaders && { others: listUsbReaders }),
      })
    },
}

/** No default, so that no host gets simulated readers unasked (AGT-04). Throws `Stop`. */
function chooseDriver(flags: DriverFlags): RunOptions['driver'] {
  if (flags.driver) return drivers[flags.driver](flags)
  const choices = Object.entries(driverNames).map(([name, meaning]) => `  --driver ${name.padEnd(10)} ${meaning}`)
  throw new Stop('usage', ['Choose how readers are attached:', ...choices].join('\n'))
}

program
  .command('run')
  .description('keeps the readers up to date until it is stopped')
  .addOption(new Option('--driver <name>', 'how readers are attached; must be given').choices(Object.keys(driverNames)))
  .option(
    '--port <path>',
    "serial: the port of a reader, such as /dev/ttyACM0 or COM3; may be repeated; default: the vendor's serial ports on USB",
    repeated,
  )
  .option('--baud-rate <rate>', 'serial: bits per second', number(300, 4_000_000), 115_200)
  .addOption(
    new Option(
      '--dialect-file <file>',
      'serial: what is sent to the seven models and what they answer, in place of the built-in table',
    ).env('DIALECT_FILE'),
  )
  .option('--readers <n>', 'simulated: how many readers', number(0, largestFleet), 20)
  .option('--seed <s>', 'simulated: the same seed makes the same fleet', number(0, 2 ** 31), 1)
  .option('--apply-ms <ms>', 'simulated: milliseconds that a reader takes to update', number(0, 600_000), 400)
  .option('--fail-share <share>', 'simulated: the share of readers that refuse every update, 0 to 1', number(0, 1, false), 0)
  .option('--poll <seconds>', 'seconds between looks at the readers; what changed is reported at once', number(1, 3600), 60)
  .option('--check-in <seconds>', 'seconds between check-ins while nothing changes', number(1, mostCheckIn), mostCheckIn)
  .option('--until-input-ends', 'end when the standard input ends, as that of a service of Windows does', false)
  .addOption(state())
  .action(async ({ state, poll, checkIn, untilInputEnds, ...flags }: DriverFlags & RunFlags) => {
    if (untilInputEnds) {
      for (const event of ['end', 'close', 'error']) process.stdin.on(event, () => ending.abort())
      process.stdin.resume()
    }
    const options = { state, driver: chooseDriver(flags), poll: poll * 1000, interval: checkIn * 1000, agentVersion, readMachineId }
    await whenFree(() => run(options, log, ending.signal), log, ending.signal)
  })

program
  .command('status')
  .description('shows what the agent of this PC does')
  .option('--explain', 'explain the states of an update instead', false)
  .addOption(state())
  .action(async ({ state, explain }: { state: string; explain: boolean }) => {
    const lines = explain ? explainStates() : await status(state, new Date())
    process.stdout.write(`${lines.join('\n')}\n`)
  })

program
  .command('service')
  .description('Windows: installs, starts, stops or removes the service of this PC, or shows how it is; as an administrator')
  .addArgument(new Argument('<what>').choices(serviceWords))
  .option('--port <name>', 'install: the port of a reader, such as COM5; may be repeated', repeated)
  .action(async (word: string, { port = [] }: { port?: string[] }) => {
    const answer = await askService(word, ...port.flatMap((name) => ['--port', name]))
    if (!answer) throw new Stop('usage', 'Only the packaged agent for Windows has this service. On Linux, install the Debian package.')
    const { code, text } = answer
    const stream = code === exitCodes.ok.code ? process.stdout : process.stderr
    stream.write(`${text}\n`)
    process.exitCode = code
  })

program
  .command('simulate')
  .description('enrolls and runs the host PCs of a file, their readers simulated, all in one process; for demos')
  .argument('<hosts-file>', 'JSON: the portal, and each host PC with its zone, licence number and readers')
  .action((file: string) => simulate(file, agentVersion, log, ending.signal))

program
  .command('stop-readers')
  .description('ends the process of the simulated readers; started again, they are as they were')
  .addOption(state())
  .action(async (options: { state: string }) => {
    const ended = await stopReaders((await openFolder(options.state)).readers)
    process.stdout.write(ended ? 'The simulated readers have ended.\n' : 'No simulated readers are running.\n')
  })

// What the simulated driver starts: the readers run on when the agent is killed.
program
  .command('simulated-readers', { hidden: true })
  .argument('<folder>')
  .argument('<fleet>', 'FleetOptions as JSON')
  .action(async (folder: string, fleet: string) => {
    const { serveReaders } = await import('./drivers/simulated/readers-process.ts')
    await serveReaders(folder, JSON.parse(fleet))
  })

const manualChanges = {
  'paper-barcode': 'scan',
  'factory-reset': 'reset',
  'factory-firmware': 'flash',
  working: 'use',
  'putting-it-down': 'put-down',
} satisfies Record<string, ManualChange>

program
  .command('change-reader')
  .description('simulated: changes a running reader as a user does by hand')
  .argument('<serial-number>', 'the reader')
  .addOption(new Option('--by <what>', 'what the user does').choices(Object.keys(manualChanges)).default('paper-barcode'))
  .addOption(state())
  .action(async (serialNumber: string, { by, state }: { by: keyof typeof manualChanges; state: string }) => {
    await changeReader((await openFolder(state)).readers, serialNumber, manualChanges[by])
    process.stdout.write(`${serialNumber} is changed.\n`)
  })

function report(error: unknown): number {
  if (error instanceof CommanderError) return (error.exitCode === 0 ? exitCodes.ok : exitCodes.usage).code
  if (error instanceof Stop) {
    process.stderr.write(`${error.message}\n`)
    return error.exitCode
  }
  process.stderr.write(`lectern-agent ends: ${sentence(error)}\n${error instanceof Error ? `${error.stack}\n` : ''}`)
  return exitCodes.unexpected.code
}

let signals = 0
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    signals += 1
    // A slow reader is updated again by the next run.
    if (signals > 1) process.exit(exitCodes.unexpected.code)
    ending.abort()
  })
}
// Ends with the program that launched it, however that one ends.
if (process.channel) {
  process.on('disconnect', () => ending.abort())
  process.channel.unref()
}
// Runs on where nothing reads its log.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = report(error)
}
process.exit()
