import { type ComponentType, lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { reloadStyles } from './lost-styles.ts'
import { useOnline } from './online.ts'

/** Milliseconds between tries, as a server that is down does not announce its return. */
const tryEvery = 5_000

export interface WaitingProps {
  isTrying: boolean
  onRetry: () => void
  // The loaded part; undefined until then.
  children: ReactNode
}

export type Load<Props> = () => Promise<ComponentType<Props>>

/**
 * Loads a component's script when it is first shown. Without a connection, a placeholder waits and then shows the component, without a
 * reload, which would lose the app's state.
 * @throws what `loadAgain` throws where the server does not have the script, as after an update
 */
export async function loadOrWait<Props extends object>(
  load: Load<Props>,
  Waiting: ComponentType<WaitingProps>,
  loadAgain = load,
): Promise<ComponentType<Props>> {
  return (await loadIfReachable(load, loadAgain)) ?? createWaiting(load, Waiting, loadAgain)
}

export interface LazyComponent<Props> {
  (props: Props): ReactNode
  /** Loads the script ahead, so that the part shows at once. A failure is tried again when it is shown. */
  preload(): void
}

/** `loadOrWait` as a component, which shows `loading` until that resolves. */
export function lazyOrWaiting<Props extends object>(
  load: Load<Props>,
  Waiting: ComponentType<WaitingProps>,
  { loading = null, loadAgain = load }: { loading?: ReactNode; loadAgain?: Load<Props> } = {},
): LazyComponent<Props> {
  let preloaded: ComponentType<Props> | undefined
  const Part = lazy(async () => ({ default: await loadOrWait(load, Waiting, loadAgain) }))
  function LazyPart(props: Props) {
    // Stays what it was when first shown, as another component in its place would lose its state.
    const [Shown] = useState(() => preloaded ?? Part)
    return (
      <Suspense fallback={loading}>
        <Shown {...props} />
      </Suspense>
    )
  }
  LazyPart.preload = () => {
    load().then(
      (loaded) => {
        preloaded = loaded
      },
      () => undefined,
    )
  }
  return LazyPart
}

// For parts that a page can do without: until it is loaded, its place is empty.
export const lazyExtra = <Props extends object>(load: Load<Props>): LazyComponent<Props> =>
  lazyOrWaiting(load, ({ children }) => children, { loadAgain: () => load().catch(() => () => null) })

// Returns undefined without a connection.
async function loadIfReachable<Loaded>(load: () => Promise<Loaded>, loadAgain: () => Promise<Loaded>): Promise<Loaded | undefined> {
  try {
    return await load()
  } catch {
    // The connection may be back by now.
    return (await isReachable()) ? loadAgain() : undefined
  }
}

async function isReachable(): Promise<boolean> {
  try {
    await fetch('/', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(tryEvery) })
    return true
  } catch {
    return false
  }
}

const withStyles =
  <Props,>(load: Load<Props>): Load<Props> =>
  async () => {
    await reloadStyles()
    return load()
  }

function createWaiting<Props extends object>(
  load: Load<Props>,
  Waiting: ComponentType<WaitingProps>,
  loadAgain: Load<Props>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function WaitingFor(props: Props) {
    const [Loaded, setLoaded] = useState(() => loaded)
    const [failure, setFailure] = useState<unknown>()
    const [isTrying, setTrying] = useState(false)
    const isOnline = useOnline()

    const attempt = useCallback(async () => {
      setTrying(true)
      try {
        loaded = await loadIfReachable(withStyles(load), withStyles(loadAgain))
        setLoaded(() => loaded)
      } catch (error) {
        setFailure(error)
      } finally {
        setTrying(false)
      }
    }, [])

    useEffect(() => {
      if (Loaded || !isOnline) return
      void attempt()
      const timer = setInterval(attempt, tryEvery)
      return () => clearInterval(timer)
    }, [Loaded, isOnline, attempt])

    if (failure !== undefined) throw failure
    return (
      <Waiting isTrying={isTrying} onRetry={attempt}>
        {Loaded && <Loaded {...props} />}
      </Waiting>
    )
  }
}
