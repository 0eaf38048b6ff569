/** Writes states one after the other. Of the states that come during a write, only the newest is written. */
export interface StateWriter<State> {
  /**
   * Resolves when this state, or a newer one, is written.
   * @throws where the newest state could not be written
   */
  write(state: State): Promise<void>
  /** Writes the newest state without waiting for its turn, as the page is about to go. */
  flush(): void
  /** Removes what was written, and writes nothing more. */
  discard(): Promise<void>
}

export function createStateWriter<State>(write: (state: State) => Promise<void>, remove: () => Promise<void>): StateWriter<State> {
  let newest: { state: State } | undefined
  let running: Promise<void> | undefined
  let discarded = false

  async function drain() {
    let failure: { error: unknown } | undefined
    while (newest) {
      const { state } = newest
      newest = undefined
      failure = await write(state).then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
    }
    if (failure) throw failure.error
  }

  return {
    write(state) {
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
