import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSerialReader } from '../support/processes/serial-reader.ts'
import { licence, manager, northfield, type Stack, startStack } from '../support/processes/stack.ts'
import { makeDebian, mountIn, type Ran, runIn } from './debian-system.ts'

const programs = '.wine/drive_c/Program Files/Lectern Agent'
const state = '.wine/drive_c/ProgramData/Lectern Agent'

/**
 * The package for Windows under Wine 10 of Debian 13. `dist`: the folder that `package:agent` made. Windows itself is not here: accounts and
 * access lists of Wine are not those of Windows.
 */
export function testWindowsLife(dist: () => string): void {
  describe('for Windows, under Wine', () => {
    const pc = join(mkdtempSync(join(tmpdir(), 'lectern-wine-')), 'pc')
    const closing: (() => unknown)[] = []
    let stack: Stack
    let port: string

    /** Wine's own programs write to files only, so everything is read from one. */
    const wine = (line: string): Ran => {
      const { status } = runIn(pc, `cd /root/download; wine ${line} < /dev/null > /tmp/output 2> /tmp/errors`)
      const read = (name: string) => readFileSync(join(pc, 'tmp', name), 'utf8').replaceAll('\r', '')
      const errors = read('errors').replace(/^error: XDG_RUNTIME_DIR.*\n/gm, '')
      return { status, output: read('output') + errors }
    }
    const downloaded = (words: string) => wine(`./lectern-agent.exe ${words}`)
    const installed = (words: string) => wine(`"/root/${programs}/lectern-agent.exe" ${words}`)
    const log = () => readFileSync(join(pc, 'root', state, 'agent.log'), 'utf8')
    const countStarts = () => log().match(/lectern-agent [\d.]+: wine-pc in the zone Wine/g)?.length ?? 0
    const agentPid = () => /^Agent: +running, process (\d+)$/m.exec(installed('status').output)?.[1]
    const unpack = (folder: string) => {
      mkdirSync(folder, { recursive: true })
      const files = unzipSync(readFileSync(join(dist(), readdirSync(dist()).find((name) => name.endsWith('.zip'))!)))
      for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes, { mode: 0o755 })
    }

    beforeAll(async () => {
      makeDebian(pc, 'trixie', ['wine', 'wine64', 'ca-certificates'])
      closing.push(mountIn(pc))
      stack = await startStack()
      closing.push(() => stack.stop())
      const reader = await startSerialReader('27P7700020')
      closing.push(() => reader.remove())
      const api = await stack.api(manager)
      for (const name of ['Wine', 'Another']) {
        const zone = await api('createZone', { params: { organizationId: northfield, location: name } })
        mkdirSync(join(pc, 'root/download'), { recursive: true })
        writeFileSync(join(pc, `root/download/${name}.ctxdm`), zone.id)
      }
      unpack(join(pc, 'root/download'))
      writeFileSync(join(pc, 'root/download/licence.txt'), `${licence}\r\n`)
      runIn(pc, 'wineboot --init')
      port = reader.port
      symlinkSync(realpathSync(port), join(pc, 'root/.wine/dosdevices/com5'))
    }, 900_000)
    afterAll(async () => {
      runIn(pc, 'wineserver --kill')
      for (const close of closing.reverse()) await close()
      rmSync(join(pc, '..'), { recursive: true, force: true })
    })

    const enroll = (words = '') => installed(`enroll Wine.ctxdm --server ${stack.url} --licence licence.txt --name wine-pc ${words}`)
    const isUp = () =>
      expect.poll(() => installed('service status').output, { timeout: 60_000 }).toBe('The service lectern-agent is running.\n')

    test('[AGT-02] the service is not there before it is installed, and runs only where Windows starts it', () => {
      expect(downloaded('service status')).toEqual({ status: 21, output: 'The service lectern-agent is not installed.\n' })
      expect(wine('./lectern-agent-service.exe run')).toMatchObject({
        status: 2,
        output: expect.stringContaining('Only Windows starts this.'),
      })
      expect(downloaded('service install --port LPT1')).toMatchObject({ status: 2 })
    })

    test('[AGT-02] it is installed under an account of its own, by a quoted path, with the state folder closed to others', () => {
      const line =
        'The service lectern-agent is installed in C:\\Program Files\\Lectern Agent. Its state is in C:\\ProgramData\\Lectern Agent.\n'
      for (let times = 0; times < 2; times += 1) expect(downloaded('service install --port COM5')).toEqual({ status: 0, output: line })
      // Wine's `sc qc` prints nothing.
      const { output } = wine('reg query HKLM\\\\System\\\\CurrentControlSet\\\\Services\\\\lectern-agent')
      expect(output).toMatch(/ObjectName +REG_SZ +NT SERVICE\\lectern-agent\n/)
      expect(output).toMatch(/ImagePath +REG_SZ +"C:\\Program Files\\Lectern Agent\\lectern-agent-service\.exe" run --port COM5\n/)
      expect(output).toMatch(/Start +REG_DWORD +0x2\n/)
      // Wine keeps an access list as far as modes can say it.
      expect(statSync(join(pc, 'root', state)).mode & 0o007).toBe(0)
    })

    test('[AGT-02] before the PC is enrolled it ends with 4 and stays down', async () => {
      const down = { status: 21, output: 'The service lectern-agent is stopped. The agent ended with code 4.\n' }
      expect(installed('service start')).toEqual(down)
      expect(installed('service status')).toEqual(down)
      expect(log()).toMatch(/ The agent ended with code 4\.\n$/)
    })

    test('[AGT-02] enrolled and started, it lists the reader on COM5 and checks in; repeated, nothing changes', async () => {
      expect(installed(`enroll Wine.ctxdm --server ${stack.url} --licence ${licence}`)).toMatchObject({
        status: 2,
        output: expect.stringContaining('Everybody on this PC can read the arguments of its programs'),
      })
      expect(enroll()).toMatchObject({ status: 0, output: expect.stringContaining('\\lectern-agent.exe" service start') })
      expect(installed('service start')).toMatchObject({ status: 0 })
      await isUp()
      await expect.poll(() => installed('status').output, { timeout: 60_000 }).toMatch(/^Last check-in: .*, 1 reader$/m)
      expect(installed('status').output).toContain('COM5: CR2700 27P7700020, dialect "commands".')
      expect(enroll()).toMatchObject({ status: 0, output: expect.stringContaining('Nothing is changed.') })
      expect(installed(`enroll Another.ctxdm --server ${stack.url} --licence licence.txt`)).toMatchObject({ status: 2 })
      const before = agentPid()
      expect(downloaded('service install')).toMatchObject({ status: 0 })
      expect(agentPid()).toBe(before)
      expect(downloaded('service install --port COM6')).toMatchObject({ status: 0 })
      await expect.poll(() => installed('status').output, { timeout: 60_000 }).toContain('COM6')
      expect(downloaded('service install --port COM5')).toMatchObject({ status: 0 })
      await expect.poll(() => installed('status').output, { timeout: 60_000 }).toContain('COM5: CR2700 27P7700020')
    })

    test('[AGT-02] killed, it is started again; its service killed, the agent ends with it', async () => {
      const [before, starts] = [agentPid(), countStarts()]
      expect(wine('taskkill /F /IM lectern-agent.exe')).toMatchObject({ status: 0 })
      await expect.poll(() => agentPid() ?? before, { timeout: 60_000 }).not.toBe(before)
      expect(countStarts()).toBe(starts + 1)
      expect(wine('taskkill /F /IM lectern-agent-service.exe')).toMatchObject({ status: 0 })
      await expect.poll(agentPid, { timeout: 60_000 }).toBeUndefined()
      expect(installed('service start')).toMatchObject({ status: 0 })
      await isUp()
    })

    test('[AGT-02] a state folder that others may write is refused with 7, and is not taken for the service', () => {
      expect(installed('service stop')).toMatchObject({ status: 0 })
      chmodSync(join(pc, 'root', state), 0o777)
      const refused = { status: 7, output: expect.stringContaining('Others may write to C:\\ProgramData\\Lectern Agent.') }
      expect(enroll()).toMatchObject(refused)
      expect(installed('run --driver serial')).toMatchObject(refused)
      expect(downloaded('service install')).toMatchObject({ status: 7, output: expect.stringContaining('Move it away and try again.') })
      chmodSync(join(pc, 'root', state), 0o750)
      expect(enroll()).toMatchObject({ status: 0 })
      expect(installed('service start')).toMatchObject({ status: 0 })
    })

    test('[AGT-02] an upgrade replaces the program under the running service, which goes on; one that cannot be copied changes nothing', async () => {
      unpack(join(pc, 'root/newer'))
      const library = join(pc, 'root/newer/lectern-agent-serial.node')
      rmSync(library)
      const upgrade = () => wine('/root/newer/lectern-agent.exe service install')
      const before = agentPid()
      expect(upgrade()).toMatchObject({ status: 21, output: expect.stringContaining('The program cannot be copied. Nothing is changed') })
      expect(agentPid()).toBe(before)
      cpSync(join(pc, 'root/download/lectern-agent-serial.node'), library)
      // Bytes after its end are no part of the program.
      writeFileSync(join(pc, 'root/newer/lectern-agent-service.exe'), 'newer', { flag: 'a' })
      expect(upgrade()).toMatchObject({ status: 0 })
      await isUp()
      await expect.poll(() => agentPid() ?? before, { timeout: 60_000 }).not.toBe(before)
      expect(readFileSync(join(pc, 'root', programs, 'lectern-agent-service.exe'), 'utf8').endsWith('newer')).toBe(true)
    })

    test('[AGT-02] it stops at once, and is removed while it runs; state and program stay', async () => {
      expect(installed('service stop')).toMatchObject({ status: 0 })
      expect(installed('service status')).toEqual({ status: 21, output: 'The service lectern-agent is stopped.\n' })
      expect(agentPid()).toBeUndefined()
      expect(installed('service start')).toMatchObject({ status: 0 })
      await isUp()
      expect(installed('service remove')).toMatchObject({ status: 0, output: expect.stringContaining('is removed. Its files are kept') })
      expect(installed('service status')).toEqual({ status: 21, output: 'The service lectern-agent is not installed.\n' })
      expect(agentPid()).toBeUndefined()
      expect(installed('status')).toMatchObject({ status: 0 })
      expect(installed('service remove')).toMatchObject({ status: 21 })
    })
  })
}
