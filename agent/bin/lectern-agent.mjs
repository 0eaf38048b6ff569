#!/usr/bin/env node
// Plain JavaScript for an older Node, which starts the agent with Node 26 or newer.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const oldestNode = 26
const main = new URL('../src/main.ts', import.meta.url)

function installedNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const name = `${system === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${system}-${process.arch}`
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  return join(folder, 'bin', system === 'win' ? 'node.exe' : 'node')
}

function startWith(node) {
  // The channel closes with this process, and the agent ends too.
  const agent = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => agent.kill(name))
  agent.on('error', (error) => {
    console.error(`lectern-agent cannot start ${node}: ${error.message}`)
    process.exit(1)
  })
  agent.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

if (Number(process.versions.node.split('.')[0]) >= oldestNode) {
  await import(main.href)
} else {
  let node
  try {
    node = installedNode()
  } catch {
    console.error(`lectern-agent needs Node ${oldestNode} or newer; this is ${process.versions.node}. Run "npm ci" where it is installed.`)
    process.exit(1)
  }
  startWith(node)
}
