import { useEffect, useState } from 'react'

export function useDelayed(milliseconds: number): boolean {
  const [passed, setPassed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), milliseconds)
    return () => clearTimeout(timer)
  }, [milliseconds])
  return passed
}

// Milliseconds of waiting after which people get unsure.
const longWait = 10_000

// `restart`: begins to wait anew.
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
