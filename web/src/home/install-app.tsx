import { findAgentFile, type latestNames } from '@lectern/contract/agent-files.ts'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useSettings } from '../lib/settings.ts'
import { paths } from '../paths.ts'
import { Segment } from '../ui/input/segment.tsx'
import { agentFileAddress, useAgentFiles } from './agent-files.tsx'
import { Command, InstructionsSection } from './instructions-section.tsx'

const systems = [
  { value: 'debian', label: 'Debian, Ubuntu' },
  { value: 'windows', label: 'Windows' },
  { value: 'hand', label: 'By hand' },
] as const

type System = (typeof systems)[number]['value']

const steps: Record<System, () => ReactNode> = { debian: OnDebian, windows: OnWindows, hand: ByHand }

export function InstallApp() {
  const [system, setSystem] = useState<System>('debian')
  const Steps = steps[system]
  return (
    <InstructionsSection
      title="Install the app"
      lead={<Segment label="System of the host PC" choices={systems} value={system} onChange={setSystem} />}
      outcome={
        <>
          Within a minute <Link to={paths.zones()}>Manage Your Zones</Link> counts the PC under “Host PCs online”, and its readers are in{' '}
          <Link to={paths.devices()}>My Devices</Link>.
        </>
      }
    >
      <Whitelist />
      <Steps />
    </InstructionsSection>
  )
}

function Whitelist() {
  const { auth } = useSettings()
  const signInHost = new URL(/^https?:/.test(auth.domain) ? auth.domain : `https://${auth.domain}`).host
  return (
    <li>
      Where your network lets PCs reach only listed addresses, whitelist the vendor's data domain, <Host name={location.host} />. The app
      opens connections to it and to nowhere else; nothing connects to the PC.
      {signInHost !== location.host && (
        <>
          {' '}
          People who sign in to this portal also need <Host name={signInHost} />, on their own PCs.
        </>
      )}
    </li>
  )
}

/** What comes before the other commands: the download, where this portal has the package. */
function useDownload(name: keyof typeof latestNames, to: string): string {
  const manifest = useAgentFiles().data?.manifest
  return manifest && findAgentFile(manifest, name) ? `curl -fsSo ${to} --retry 20 ${agentFileAddress(name)} && ` : ''
}

const enroll = (program: string) => `${program} enroll Location.ctxdm --server ${location.origin} --licence licence.txt`

function OnDebian() {
  const download = useDownload('lectern-agent.deb', 'lectern-agent.deb')
  return (
    <>
      <Files />
      <li>
        As root, in that folder, give this one command. It installs the app as a service of its own account, enrolls the PC and starts it.
        <Command>
          {`${download}apt-get install -y ./lectern-agent.deb && ${enroll('lectern-agent')} && systemctl start lectern-agent`}
        </Command>
      </li>
      <Hundreds>
        Where the repository is signed, apt can keep the app up to date by itself. Its line in <Word>/etc/apt/sources.list.d</Word>:
        <Command>{`deb [signed-by=/etc/apt/keyrings/lectern-agent.asc] ${agentFileAddress()} /`}</Command>
        and its key:
        <Command>{`curl -fsSo /etc/apt/keyrings/lectern-agent.asc ${agentFileAddress('lectern-agent.asc')}`}</Command>
      </Hundreds>
      <Ports>
        name each in <Word>/etc/default/lectern-agent</Word> and restart the service:
        <Command>PORTS="--port /dev/ttyS0"</Command>
      </Ports>
      <Status command="lectern-agent status" />
    </>
  )
}

const installedOnWindows = '"%ProgramFiles%\\Lectern Agent\\lectern-agent.exe"'

function OnWindows() {
  const download = useDownload('lectern-agent-windows.zip', 'lectern-agent.zip')
  // Only administrators may put a file beside the program there.
  const folder = '%ProgramFiles%\\Lectern Agent Setup'
  return (
    <>
      <Files />
      <li>
        In a command prompt as administrator, in that folder, give this one command. It installs the app as a service of its own account,
        enrolls the PC and starts it. The app was tried with Wine. Neither it nor this command was tried on Windows itself: try it on one PC
        first.
        <Command>
          {`${download}(if not exist "${folder}" mkdir "${folder}") && tar -xf lectern-agent.zip -C "${folder}" && "${folder}\\lectern-agent.exe" service install && ${enroll(installedOnWindows)} && ${installedOnWindows} service start`}
        </Command>
      </li>
      <Hundreds />
      <Ports>
        name each when the service is installed:
        <Command>{`${installedOnWindows} service install --port COM5`}</Command>
      </Ports>
      <Status command={`${installedOnWindows} status`} />
    </>
  )
}

function Files() {
  return (
    <li>
      Put the zone's location file on the host PC, and beside it a file <Word>licence.txt</Word> with your licence or its number. The number
      is no argument of the command, because other programs of the PC can read those.
    </li>
  )
}

function Hundreds({ children }: { children?: ReactNode }) {
  return (
    <li>
      For hundreds of PCs, give the same command to what distributes your software, with each zone's own location file. It asks nothing.
      Repeated, it changes nothing and ends with 0, and a newer package upgrades. On a PC of another zone it ends with 2, unless the app is
      stopped and <Word>--replace</Word> is added. {children}
    </li>
  )
}

function Ports({ children }: { children: ReactNode }) {
  return (
    <li>
      The app uses the serial ports of this vendor's readers on USB; other devices get no byte. For readers on other serial ports,{' '}
      {children}
      <Published />
    </li>
  )
}

function Published() {
  return (
    <>
      The app sends readers published commands alone: it lists them and gives them commands of the builder, and no script, CFG or firmware.
      It was tried with emulated readers and with no real one: try it on one reader first.
    </>
  )
}

function Status({ command }: { command: string }) {
  return (
    <li>
      Check its status. It names the zone, the last check-in and what was published.
      <Command>{command}</Command>
    </li>
  )
}

function ByHand() {
  return (
    <>
      <li>Put the app and the zone's location file on the host PC. Sign in there with the account that runs the app.</li>
      <li>
        Enroll the PC once, with your licence number in place of NUMBER. The app prints the name of the zone.
        <Command>{`lectern-agent enroll Location.ctxdm --server ${location.origin} --licence NUMBER`}</Command>
      </li>
      <li>
        Start the app, with the serial port of a reader in place of PORT, such as <Word>/dev/ttyACM0</Word> or <Word>COM3</Word>. For
        several readers, repeat <Word>--port</Word>. Without it the app uses the serial ports of this vendor's readers on USB; other devices
        get no byte. <Published />
        <Command>lectern-agent run --driver serial --port PORT</Command>
        It ends with the window. The packages make it a service, which starts with the PC.
      </li>
      <Status command="lectern-agent status" />
      <li>
        To try the app without a reader, end it and let it simulate some. They do not exist, are marked as simulated, and a portal in
        production refuses them.
        <Command>lectern-agent run --driver simulated --readers 5</Command>
        They go on when the app ends, as real readers do. This ends them:
        <Command>lectern-agent stop-readers</Command>
      </li>
      <li>
        A PC that ran the app by hand and gets the package goes on with what it has: stop the app, install the package, and take its folder
        over in place of enrolling.
        <Command>lectern-agent enroll --from FOLDER</Command>
      </li>
    </>
  )
}

const Host = ({ name }: { name: string }) => <span className="mono wrap-anywhere">{name}</span>

const Word = ({ children }: { children: string }) => <span className="mono whitespace-nowrap">{children}</span>
