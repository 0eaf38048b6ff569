#!/usr/bin/env node
// Plain JavaScript that an older Node can run: it finds a Node of version 24 or newer and starts the agent with it.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const needed = 24
const main = new URL('../src/main.ts', import.meta.url)

/** The Node that npm has installed beside the agent. */
function installedNode() {
  const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'))
  return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

function startWith(node) {
  // The channel tells the agent when this process is gone, so that it never runs on unseen.
  const agent = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => agent.kill(name))
  agent.on('error', (error) => {
    console.error(`lectern-agent cannot start ${node}: ${error.message}`)
    process.exit(1)
  })
  agent.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

if (Number(process.versions.node.split('.')[0]) >= needed) {
  await import(main.href)
} else {
  let node
  try {
    node = installedNode()
  } catch {
    console.error(`lectern-agent needs Node ${needed} or newer; this is ${process.versions.node}. Run "npm install" where it is installed.`)
    process.exit(1)
  }
  startWith(node)
}
