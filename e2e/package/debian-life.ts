import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDebianPackage, makeRepository } from '../../agent/packaging/debian.ts'
import { startSerialReader } from '../support/processes/serial-reader.ts'
import { licence, manager, northfield, type Stack, startStack } from '../support/processes/stack.ts'
import { startCountingProxy } from './counting-proxy.ts'
import { type Booted, bootDebian, makeDebian } from './debian-system.ts'

const times = Date.UTC(2026) / 1_000
const unit = 'lectern-agent.service'

/** The Debian package on a booted systemd of a suite, from the portal's repository for apt. `dist`: the folder that `package:agent` made. */
export function testDebianLife(suite: 'bookworm' | 'trixie', dist: () => string): void {
  describe(`on Debian ${suite}`, () => {
    const folder = mkdtempSync(join(tmpdir(), `lectern-${suite}-`))
    const [root, files] = [join(folder, 'system'), join(folder, 'files')]
    const closing: (() => unknown)[] = []
    let stack: Stack
    let pc: Booted

    const run = (line: string) => pc.run(line)
    const done = (line: string) => expect({ line, ...run(line) }).toMatchObject({ line, status: 0 })
    const show = (property: string) => run(`systemctl show ${unit} -p ${property} --value`).output.trim()
    const isActive = () => run(`systemctl is-active ${unit}`).output.trim()
    const untilActive = () => expect.poll(isActive, { timeout: 60_000 }).toBe('active')
    const version = () => {
      const [, status, installed] = /^(\w+)\s+lectern-agent\s+(\S+)/m.exec(run('dpkg --list lectern-agent').output) ?? []
      return `${installed} ${status}`
    }
    const toEnroll = (zone: string, more = '') =>
      `lectern-agent enroll ${zone}.ctxdm --server ${stack.url} --licence licence.txt --name debian-pc ${more}`
    const enroll = (zone: string, more?: string) => run(toEnroll(zone, more))

    /** Puts a version of the package into the repository. `breaks`: its installation fails. */
    function release(release: string, breaks = false): void {
      const work = join(folder, `work-${release}`)
      mkdirSync(work)
      const name = makeDebianPackage(files, { from: join(dist(), 'linux-x64'), work, version: release, times })
      if (breaks) {
        writeFileSync(join(work, 'DEBIAN/preinst'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
        spawnSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z1', '--build', work, join(files, name)])
      }
      makeRepository(files, { times, key: join(folder, 'key') })
      const entries = [name, 'Packages', 'Release', 'InRelease', 'lectern-agent.asc'].map((file) => ({
        name: file,
        bytes: statSync(join(files, file)).size,
        sha256: '0'.repeat(64),
      }))
      writeFileSync(join(files, 'manifest.json'), JSON.stringify({ version: release, files: entries }))
      rmSync(work, { recursive: true })
    }

    beforeAll(async () => {
      for (const each of [files, join(folder, 'gpg')]) mkdirSync(each, { mode: 0o700 })
      const gpg = (...words: string[]) =>
        expect(spawnSync('gpg', ['--homedir', join(folder, 'gpg'), '--batch', '--passphrase', '', ...words])).toMatchObject({ status: 0 })
      gpg('--quick-generate-key', 'Lectern test', 'default', 'default', '1d')
      gpg('--output', join(folder, 'key'), '--export-secret-keys')
      release('0.0.1')
      stack = await startStack({ env: { AGENT_FILES: files } })
      closing.push(() => stack.stop())
      makeDebian(root, suite, ['systemd', 'systemd-sysv', 'udev', 'dbus', 'ca-certificates', 'curl'])
      const api = await stack.api(manager)
      for (const name of ['First', 'Another']) {
        const zone = await api('createZone', { params: { organizationId: northfield, location: name } })
        writeFileSync(join(root, `root/${name}.ctxdm`), zone.id)
      }
      writeFileSync(join(root, 'root/licence.txt'), `${licence}\n`, { mode: 0o600 })
      pc = await bootDebian(root)
      closing.push(() => pc.shutDown())
    }, 900_000)
    afterAll(async () => {
      for (const close of closing.reverse()) await close()
      rmSync(folder, { recursive: true, force: true })
    })

    test('[AGT-02] installed from the repository of the portal, it is not started before the PC is enrolled', () => {
      const address = `${stack.url}/api/agent-files/`
      done(`mkdir -p /etc/apt/keyrings && curl -fsSo /etc/apt/keyrings/lectern-agent.asc ${address}lectern-agent.asc`)
      const line = `deb [signed-by=/etc/apt/keyrings/lectern-agent.asc] ${address} /`
      writeFileSync(join(root, 'etc/apt/sources.list.d/lectern-agent.list'), `${line}\n`)
      done('apt-get update && apt-get install -y lectern-agent')
      expect(version()).toBe('0.0.1 ii')
      expect(run(`systemctl is-enabled ${unit}`).output.trim()).toBe('enabled')
      expect(isActive()).toBe('inactive')
    })

    test('[AGT-12] the command of the installation page enrolls and starts it; repeated it changes nothing, and a licence number is no argument', async () => {
      const rest = `lectern-agent enroll First.ctxdm --server ${stack.url} --licence licence.txt --name debian-pc && systemctl start lectern-agent`
      const command = `curl -fsSo lectern-agent.deb --retry 20 ${stack.url}/api/agent-files/lectern-agent.deb && apt-get install -y ./lectern-agent.deb && ${rest}`
      expect(run(`lectern-agent enroll First.ctxdm --server ${stack.url} --licence ${licence}`)).toMatchObject({
        status: 2,
        output: expect.stringContaining('Everybody on this PC can read the arguments of its programs'),
      })
      done(command)
      await untilActive()
      const pid = show('MainPID')
      expect(run('stat --format "%U %a" /var/lib/lectern-agent/enrolment.json').output).toBe('lectern-agent 600\n')
      expect(run(command)).toMatchObject({ status: 0, output: expect.stringContaining('Nothing is changed.') })
      expect(show('MainPID')).toBe(pid)
      expect(enroll('Another')).toMatchObject({ status: 2, output: expect.stringContaining('already enrolled in the zone First') })
    })

    test('[AGT-02] killed, it is started again', async () => {
      const before = show('NRestarts')
      done(`systemctl kill --signal=KILL ${unit}`)
      await expect.poll(() => show('NRestarts'), { timeout: 60_000 }).toBe(String(Number(before) + 1))
      await untilActive()
    })

    test('[AGT-02] closed to what it does not need, it lists a reader on a port that is named, checks in through a proxy, and is upgraded', async () => {
      const reader = await startSerialReader('27P7700021')
      closing.push(() => reader.remove())
      const port = realpathSync(reader.port)
      chmodSync(port, 0o666)
      // A pseudo-terminal stands for the serial port.
      mkdirSync(join(root, `etc/systemd/system/${unit}.d`))
      writeFileSync(join(root, `etc/systemd/system/${unit}.d/port.conf`), '[Service]\nDeviceAllow=char-pts rw\n')
      writeFileSync(join(root, 'etc/default/lectern-agent'), `PORTS="--port ${port}"\n`)
      const proxy = await startCountingProxy()
      closing.push(() => proxy.close())
      done(`systemctl daemon-reload && systemctl stop ${unit}`)
      expect(await pc.start(toEnroll('First', `--proxy ${proxy.url}`))).toBe(0)
      const enrolled = proxy.count()
      done(`systemctl start ${unit}`)
      const hasReader = () =>
        expect.poll(() => run('lectern-agent status').output, { timeout: 60_000 }).toMatch(/^Last check-in: .*, 1 reader$/m)
      await hasReader()
      expect(enrolled).toBeGreaterThan(0)
      expect(proxy.count()).toBeGreaterThan(enrolled)
      release('0.0.2')
      done('apt-get update && apt-get install -y lectern-agent')
      expect(version()).toBe('0.0.2 ii')
      await untilActive()
      await hasReader()
      const exposure = /exposure level for lectern-agent\.service: ([\d.]+)/.exec(run(`systemd-analyze security ${unit}`).output)?.[1]
      // What follows runs while this process waits, and so without its proxy.
      done(`systemctl stop ${unit}`)
      expect(enroll('First', '--no-proxy')).toMatchObject({ status: 0 })
      done(`systemctl start ${unit}`)
      console.log(`systemd-analyze security of Debian ${suite}: ${exposure}`)
      expect(Number(exposure)).toBeLessThanOrEqual(3)
    })

    test('[AGT-02] where an upgrade fails, the former version runs on', async () => {
      release('0.0.3', true)
      const pid = show('MainPID')
      expect(run('apt-get update && apt-get install -y lectern-agent').status).not.toBe(0)
      expect([version(), show('MainPID'), isActive()]).toEqual(['0.0.2 ii', pid, 'active'])
    })

    test('a host PC that was removed from its zone stays down, also after an upgrade', async () => {
      const [found] = await stack.sql<{ host: string }>("select public_id as host from host where name = 'debian-pc'")
      const host = found!.host
      const api = await stack.api(manager)
      await api('removeHost', { params: { organizationId: northfield, host } })
      done(`systemctl kill --signal=KILL ${unit}`)
      await expect.poll(() => show('ExecMainStatus'), { timeout: 60_000 }).toBe('3')
      await expect.poll(isActive, { timeout: 60_000 }).toBe('failed')
      release('0.0.4')
      done('apt-get update && apt-get install -y lectern-agent')
      expect([version(), isActive()]).toEqual(['0.0.4 ii', 'failed'])
      expect(enroll('Another', '--replace')).toMatchObject({ status: 0 })
      done(`systemctl start ${unit}`)
      await untilActive()
    })

    test('removed it keeps its state, and installed again it goes on; purged, nothing but the account is left', async () => {
      done('apt-get remove -y lectern-agent')
      expect(isActive()).not.toBe('active')
      done('test -e /var/lib/lectern-agent/enrolment.json')
      done('apt-get install -y lectern-agent')
      await untilActive()
      done('apt-get purge -y lectern-agent')
      expect(isActive()).not.toBe('active')
      expect(run('ls -d /var/lib/lectern-agent /usr/lib/lectern-agent').status).toBe(2)
      done('id lectern-agent')
    })

    test('[AGT-02] a state folder of before is taken over as it is', async () => {
      done('apt-get install -y lectern-agent && useradd --create-home person')
      const old = '/home/person/.local/state/lectern-agent'
      cpSync(join(root, 'root/First.ctxdm'), join(root, 'home/person/First.ctxdm'))
      cpSync(join(root, 'root/licence.txt'), join(root, 'home/person/licence.txt'))
      done('chown person /home/person/*')
      const words = `enroll First.ctxdm --server ${stack.url} --licence licence.txt --name before --state ${old}`
      done(`cd /home/person && setpriv --reuid person --regid person --clear-groups lectern-agent ${words}`)
      const kept = readFileSync(join(root, old, 'enrolment.json'), 'utf8')
      done(`lectern-agent enroll --from ${old}`)
      expect(readFileSync(join(root, 'var/lib/lectern-agent/enrolment.json'), 'utf8')).toBe(kept)
      expect(run('stat --format "%U %a" /var/lib/lectern-agent/enrolment.json').output).toBe('lectern-agent 600\n')
      expect(run(`lectern-agent status --state ${old}`)).toMatchObject({ status: 4 })
      expect(run(`lectern-agent enroll --from ${old}`)).toMatchObject({ status: 4 })
      done(`systemctl start ${unit}`)
      await untilActive()
    })
  })
}
