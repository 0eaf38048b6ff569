let context: AudioContext | undefined

/** A high tone for what is done, two low ones for what is refused. A browser that plays none stays silent: the page shows the same. */
export function play(sound: 'done' | 'refused'): void {
  try {
    context ??= new AudioContext()
    const { currentTime } = context
    const tones =
      sound === 'done'
        ? [[1_320, 0, 0.18]]
        : ([
            [220, 0, 0.12],
            [220, 0.18, 0.12],
          ] as const)
    for (const [frequency, after, length] of tones) {
      const tone = context.createOscillator()
      tone.frequency.value = frequency!
      tone.connect(context.destination)
      tone.start(currentTime + after!)
      tone.stop(currentTime + after! + length!)
    }
  } catch {
    context = undefined
  }
}
