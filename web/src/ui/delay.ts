import { useEffect, useState } from 'react'

export function useDelayed(milliseconds: number): boolean {
  const [passed, setPassed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), milliseconds)
    return () => clearTimeout(timer)
  }, [milliseconds])
  return passed
}

// Milliseconds after which people wonder whether anything happens.
const longWait = 10_000

// `restart` waits as long again before it says so.
export function useLongWait(isWaiting: boolean): { isLong: boolean; restart: () => void } {
  const [turn, setTurn] = useState(0)
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setLong(true), longWait)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isWaiting, turn])
  return { isLong, restart: () => setTurn(turn + 1) }
}
