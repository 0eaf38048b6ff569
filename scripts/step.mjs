import { spawn } from 'node:child_process'

/** Milliseconds between two lines about a step that takes long. */
const interval = 10_000

// A process of its own, as the steps below block this one. It ends with its parent, however that ends.
const ticker = `
  const parent = process.ppid
  const start = Date.now()
  setInterval(() => {
    if (process.ppid !== parent) process.exit()
  }, 500)
  setInterval(() => console.log('  still at it after ' + Math.round((Date.now() - start) / 1000) + ' s'), Number(process.argv[1]))`

/**
 * Says that a step begins, every ten seconds that it goes on, and how long it took.
 * @template T
 * @param {string} name such as "Installing the dependencies"
 * @param {() => T} work which may block this process
 * @param {{ every?: number }} [options] `every` in milliseconds
 * @returns {T}
 */
export function step(name, work, { every = interval } = {}) {
  const start = Date.now()
  console.log(`${name} …`)
  const ticking = spawn(process.execPath, ['-e', ticker, String(every)], { stdio: ['ignore', 'inherit', 'ignore'] })
  ticking.unref()
  try {
    const result = work()
    console.log(`${name}: done in ${((Date.now() - start) / 1000).toFixed(1)} s`)
    return result
  } finally {
    ticking.kill()
  }
}
