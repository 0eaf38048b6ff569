// A thread of its own, as the sender of the load is busy. Reads /livez and the lists of other people, one after the other, until a message
// comes.
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** What is asked, by name. */
type Asked = Record<string, { url: string; token: string | null }>

let isOver = false
parentPort!.once('message', () => {
  isOver = true
})
const asked = workerData as Asked
const answers: Record<string, { ms: number; status: number }[]> = {}
const ask = async (name: string, { url, token }: Asked[string]) => {
  const began = performance.now()
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  const status = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status
    },
    () => 0,
  )
  answers[name] = [...(answers[name] ?? []), { ms: performance.now() - began, status }]
}
await Promise.all(
  Object.entries(asked).map(async ([name, what]) => {
    while (!isOver) {
      await ask(name, what)
      await pause(100)
    }
  }),
)
parentPort!.postMessage(answers)
