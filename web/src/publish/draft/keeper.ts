/** Writes states one after the other: while one is being written only the newest of those that come is remembered. */
export type Keeper<State> = {
  /** Resolves when this state, or a newer one, is safe. Rejects when it could not be written. */
  keep(state: State): Promise<void>
  /** Writes what is remembered without waiting for its turn: the page is about to go. */
  flush(): void
  /** Lets nothing more be written, then removes what was. */
  discard(): Promise<void>
}

/** A keeper that writes with `write` and removes with `remove`. */
export function createKeeper<State>(write: (state: State) => Promise<void>, remove: () => Promise<void>): Keeper<State> {
  let newest: { state: State } | undefined
  let running: Promise<void> | undefined
  let discarded = false

  async function drain() {
    while (newest) {
      const { state } = newest
      newest = undefined
      await write(state)
    }
  }

  return {
    keep(state) {
      if (discarded) return Promise.resolve()
      newest = { state }
      running ??= drain().finally(() => {
        running = undefined
      })
      return running
    },
    flush() {
      if (!newest) return
      const { state } = newest
      newest = undefined
      write(state).catch(() => undefined)
    },
    async discard() {
      discarded = true
      newest = undefined
      await running?.catch(() => undefined)
      await remove()
    },
  }
}
