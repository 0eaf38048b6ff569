import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(new URL('../../../docs/operations.md', import.meta.url))

export interface Proxy {
  /** Waits until the server of this name gets requests, or no longer gets any. */
  until(server: string, isUp: boolean): Promise<void>
  stop(): Promise<void>
}

/** @param ports of the proxy and, by name, of its servers */
export async function startHaproxy(folder: string, port: number, servers: Record<string, number>): Promise<Proxy> {
  const socket = join(folder, 'haproxy.sock')
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, `global\n  stats socket ${socket}\n\n${await readConfiguration(port, servers)}`)
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const printed = text(child.stderr)
  const ended = once(child, 'exit').then(async ([code]) => {
    if (code !== 0 && !child.killed) throw new Error(`haproxy ended with ${code}:\n${await printed}`)
  })
  ended.catch(() => undefined)
  const isUp = async (server: string) => (await ask(socket, 'show stat')).split('\n').some((line) => isUpLine(line, server))
  return {
    async until(server, desired) {
      for (const patience = performance.now() + 60_000; performance.now() < patience; ) {
        if ((await isUp(server).catch(() => false)) === desired) return
        await Promise.race([pause(50), ended])
      }
      throw new Error(`haproxy did not ${desired ? 'take in' : 'leave out'} the server ${server} within a minute.`)
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

// The second field is the server's name, the 18th its state.
function isUpLine(line: string, server: string): boolean {
  const fields = line.split(',')
  return fields[0] === 'lectern' && fields[1] === server && fields[17] === 'UP'
}

/** The configuration of docs/operations.md, with other addresses and without a certificate. */
async function readConfiguration(port: number, servers: Record<string, number>): Promise<string> {
  const found = /^```haproxy\n(.*?)^```$/ms.exec(await readFile(page, 'utf8'))?.[1]
  if (found === undefined) throw new Error('docs/operations.md has no configuration of haproxy.')
  const replaced = Object.entries(servers).reduce(
    (all, [name, serverPort]) => replaceLine(all, RegExp(`server ${name} \\S+$`, 'm'), `server ${name} 127.0.0.1:${serverPort}`),
    found,
  )
  return replaceLine(replaced, /bind .*$/m, `bind 127.0.0.1:${port}`)
}

function replaceLine(all: string, line: RegExp, by: string): string {
  if (!line.test(all)) throw new Error(`The configuration of haproxy in docs/operations.md has no line ${line}.`)
  return all.replace(line, by)
}

async function ask(path: string, command: string): Promise<string> {
  const socket = connect(path)
  socket.end(`${command}\n`)
  return text(socket)
}
