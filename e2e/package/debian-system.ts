import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'

const cache = join(import.meta.dirname, '../../node_modules/.cache/lectern/systems')

export interface Ran {
  status: number | null
  output: string
}

const ran = (command: string, args: readonly string[]): Ran => {
  const { error, status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024 })
  return { status, output: error ? String(error) : `${stdout}${stderr}` }
}

const clean = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LC_ALL: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive' }

/**
 * A fresh Debian in a folder, which is removed at its end. It needs root and the Debian package `debootstrap`. The first one of each suite is
 * kept in node_modules/.cache, from which the others are copied.
 */
export function makeDebian(folder: string, suite: 'bookworm' | 'trixie', packages: readonly string[]): void {
  expect(process.getuid?.(), 'Run it as root: it makes systems of Debian.').toBe(0)
  const kept = join(cache, `${suite} ${packages.join(' ')}`.replaceAll(' ', '-'))
  const isWhole = join(kept, 'is-whole')
  if (!existsSync(isWhole)) {
    rmSync(kept, { recursive: true, force: true })
    mkdirSync(kept, { recursive: true })
    const made = ran('debootstrap', ['--variant=minbase', `--include=${packages.join(',')}`, suite, kept])
    expect(made, 'Install the Debian package debootstrap.').toMatchObject({ status: 0 })
    writeFileSync(isWhole, '')
  }
  cpSync(kept, folder, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  cpSync('/etc/resolv.conf', join(folder, 'etc/resolv.conf'))
  writeFileSync(join(folder, 'etc/hosts'), '127.0.0.1 localhost\n')
}

/** Runs a line of a shell in the folder's system, without booting it. */
export const runIn = (folder: string, line: string): Ran => {
  const variables = Object.entries({ ...clean, WINEDEBUG: '-all' }).map(([name, value]) => `${name}=${value}`)
  return ran('env', ['-i', ...variables, 'chroot', folder, 'sh', '-c', line])
}

/** Mounts that the folder's system needs for `runIn`. */
export function mountIn(folder: string): () => void {
  const points = ['proc', 'dev', 'dev/pts']
  for (const point of points) expect(ran('mount', ['--bind', `/${point}`, join(folder, point)])).toMatchObject({ status: 0 })
  return () => {
    for (const point of points.reverse()) ran('umount', ['--lazy', join(folder, point)])
  }
}

export interface Booted {
  /** Runs a line of a shell as root, to its end. */
  run(line: string): Ran
  /** As `run`, while this process goes on: for what has to answer in it. */
  start(line: string): Promise<number | null>
  shutDown(): Promise<void>
}

// Its own namespaces but the network: the portal is at 127.0.0.1 there, too. Pseudo-terminals are shared, as the emulated readers are outside.
const boot = (root: string) => `set -e
mount --bind '${root}' '${root}'; cd '${root}'
mount -t proc proc proc; mount -t sysfs sysfs sys; mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs tmpfs run; mount -t tmpfs tmpfs tmp
mkdir run/outside; mount --bind /dev/pts run/outside
mount -t tmpfs -o mode=755 tmpfs dev
for each in null zero full random urandom tty; do touch dev/$each; mount --bind /dev/$each dev/$each; done
mkdir dev/pts dev/shm; mount --move run/outside dev/pts; ln -s pts/ptmx dev/ptmx
exec env -i container=lectern PATH=${clean.PATH} chroot . /lib/systemd/systemd --unit=multi-user.target --log-target=null --show-status=0`

/** Boots systemd of the folder's system. */
export async function bootDebian(folder: string): Promise<Booted> {
  const namespaces = ['--mount', '--pid', '--fork', '--cgroup', '--ipc', '--uts', '--propagation', 'private']
  const outside = spawn('unshare', [...namespaces, 'sh', '-c', boot(folder)], { stdio: 'ignore' })
  const init = await findInit(outside)
  const enter = ['--target', init, '--mount', '--pid', '--ipc', '--uts', '--cgroup', '--root', '--wd']
  const variables = Object.entries(clean).map(([name, value]) => `${name}=${value}`)
  const words = (line: string) => [...enter, 'env', '-i', ...variables, 'sh', '-c', `cd /root; ${line}`]
  const run = (line: string) => ran('nsenter', words(line))
  await vi.waitFor(() => expect(run('systemctl is-system-running').output).toMatch(/running|degraded/), { timeout: 60_000 })
  return {
    run,
    async start(line) {
      const [code] = await once(spawn('nsenter', words(line), { stdio: 'ignore' }), 'exit')
      return code as number | null
    },
    async shutDown() {
      const ended = once(outside, 'exit')
      process.kill(Number(init), 'SIGKILL')
      await ended
    },
  }
}

async function findInit(outside: ChildProcess): Promise<string> {
  const children = `/proc/${outside.pid}/task/${outside.pid}/children`
  return await vi.waitFor(
    () => {
      const init = readFileSync(children, 'utf8').trim()
      expect(readFileSync(`/proc/${init}/comm`, 'utf8')).toBe('systemd\n')
      return init
    },
    { timeout: 30_000 },
  )
}
