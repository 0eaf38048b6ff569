import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './setup.mjs'

const quiet = '--disable-warning=ExperimentalWarning'

/**
 * Starts a program in the project's folder and hands on to it the signals that would end this process.
 * @param {string} node path of the Node to run it with
 * @param {string[]} args Node's options, the file, the file's arguments
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} its exit code; 128 and the signal's number when a signal ended it
 */
export function launch(node, args, env = process.env) {
  const child = spawn(node, [quiet, ...args], { cwd: root, env, stdio: 'inherit' })
  const handOn = (signal) => child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, handOn)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, handOn)
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
}

/**
 * Runs a program's main function: its answer is the exit code, its error one sentence instead of a trace.
 * @param {() => Promise<number>} main
 */
export async function exitWith(main) {
  try {
    process.exitCode = await main()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
