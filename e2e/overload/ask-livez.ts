// A thread of its own, as the sender of the load is busy. Reads /livez five times a second until a message comes.
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

let isOver = false
parentPort!.once('message', () => {
  isOver = true
})
let [asked, failed, slowestMs] = [0, 0, 0]
while (!isOver) {
  const began = performance.now()
  const isAlive = await fetch(`${workerData as string}/livez`, { signal: AbortSignal.timeout(30_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
  asked += 1
  if (!isAlive) failed += 1
  slowestMs = Math.max(slowestMs, performance.now() - began)
  await pause(200)
}
parentPort!.postMessage({ asked, failed, slowestMs })
