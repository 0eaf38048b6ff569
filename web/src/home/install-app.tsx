import { Link } from 'react-router'
import { useSettings } from '../lib/settings.ts'
import { paths } from '../paths.ts'
import { Command, InstructionsSection } from './instructions-section.tsx'

export function InstallApp() {
  const { auth } = useSettings()
  const signInHost = new URL(/^https?:/.test(auth.domain) ? auth.domain : `https://${auth.domain}`).host
  return (
    <InstructionsSection
      title="Install the app"
      outcome={
        <>
          Within a minute <Link to={paths.zones()}>Manage Your Zones</Link> counts the PC under “Host PCs online”, and its readers are in{' '}
          <Link to={paths.devices()}>My Devices</Link>.
        </>
      }
    >
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
      <li>Put the app and the zone's location file on the host PC. Sign in there with the account that runs the app.</li>
      <li>
        Enroll the PC once, with your licence number in place of NUMBER. The app prints the name of the zone.
        <Command>{`lectern-agent enroll Location.ctxdm --server ${location.origin} --licence NUMBER`}</Command>
      </li>
      <li>
        Start the app, with the serial port of a reader in place of PORT, such as <Word>/dev/ttyACM0</Word> or <Word>COM3</Word>. For
        several readers, repeat <Word>--port</Word>. Without it the app uses the serial ports of this vendor's readers on USB; other devices
        get no byte. The app sends readers published commands alone: it lists them and gives them commands of the builder, and no script,
        CFG or firmware. It was tried with emulated readers and with no real one: try it on one reader first.
        <Command>lectern-agent run --driver serial --port PORT</Command>
        To have it start with the PC, make this command a service of the same account, restarted when it ends with exit code 1.
      </li>
      <li>
        Check its status. It names the zone, the last check-in and what was published.
        <Command>lectern-agent status</Command>
      </li>
      <li>
        To try the app without a reader, end it and let it simulate some. They do not exist, are marked as simulated, and a portal in
        production refuses them.
        <Command>lectern-agent run --driver simulated --readers 5</Command>
        They go on when the app ends, as real readers do. This ends them:
        <Command>lectern-agent stop-readers</Command>
      </li>
    </InstructionsSection>
  )
}

const Host = ({ name }: { name: string }) => <span className="mono wrap-anywhere">{name}</span>

const Word = ({ children }: { children: string }) => <span className="mono whitespace-nowrap">{children}</span>
