/** Bytes that a process started with `--inspect` on the port holds once its garbage is collected: its heap, and what hangs on it outside. */
export async function weighHeap(inspectorPort: number): Promise<number> {
  const [target] = (await (await fetch(`http://127.0.0.1:${inspectorPort}/json`)).json()) as { webSocketDebuggerUrl: string }[]
  const socket = new WebSocket(target!.webSocketDebuggerUrl)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  const send = async (id: number, method: string, params = {}): Promise<{ result?: { value: unknown } }> => {
    const answer = new Promise<{ result?: { value: unknown } }>((resolve) => {
      const read = ({ data }: MessageEvent) => {
        const message = JSON.parse(String(data))
        if (message.id !== id) return
        socket.removeEventListener('message', read)
        resolve(message.result)
      }
      socket.addEventListener('message', read)
    })
    socket.send(JSON.stringify({ id, method, params }))
    return answer
  }
  for (let round = 1; round <= 3; round += 1) await send(round, 'HeapProfiler.collectGarbage')
  const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())'
  const { result } = await send(4, 'Runtime.evaluate', { expression, returnByValue: true })
  socket.close()
  return result!.value as number
}
