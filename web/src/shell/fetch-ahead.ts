import { useEffect } from 'react'

/** Milliseconds left to the page that was opened. */
const startsAfter = 2_000
const together = 3

/** Loads scripts and style sheets of other pages into the browser's cache, so that they open at once. */
export function useFetchAhead(): void {
  useEffect(() => {
    const leaving = new AbortController()
    const timer = setTimeout(() => void fetchAhead(leaving.signal).catch(() => undefined), startsAfter)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [])
}

async function fetchAhead(signal: AbortSignal): Promise<void> {
  if (!import.meta.env.PROD || (navigator as { connection?: { saveData: boolean } }).connection?.saveData) return
  const list = await fetch('/fetch-ahead.json', { priority: 'low', signal })
  const files: string[] = await list.json()
  const fetchRest = async () => {
    for (let file = files.shift(); file !== undefined; file = files.shift())
      await (await fetch(file, { priority: 'low', signal })).arrayBuffer()
  }
  await Promise.all(Array.from({ length: together }, fetchRest))
}
