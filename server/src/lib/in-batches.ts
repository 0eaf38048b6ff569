/** Loads all keys together that are asked for in one turn of the event loop. Returns undefined for a key that is not found. */
export function inBatches<Value>(load: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {
  let waiting: Promise<ReadonlyMap<string, Value>> | undefined
  let keys = new Set<string>()
  const start = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    const asked = [...keys]
    keys = new Set()
    waiting = undefined
    return load(asked)
  }
  return async (key: string): Promise<Value | undefined> => {
    keys.add(key)
    waiting ??= start()
    return (await waiting).get(key)
  }
}
