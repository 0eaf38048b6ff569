let context: AudioContext | undefined

/** A press calls this, without which a browser plays nothing. A browser without sound stays silent: the page shows the same. */
export function prepareSound(): void {
  try {
    context ??= new AudioContext()
    context.resume().catch(() => undefined)
  } catch {
    context = undefined
  }
}

/** Hertz, and seconds after which a tone begins. */
const tones = {
  done: [[1_320, 0]],
  refused: [
    [220, 0],
    [220, 0.18],
  ],
} as const

export function play(sound: keyof typeof tones): void {
  if (!context) return
  for (const [frequency, after] of tones[sound]) {
    const tone = context.createOscillator()
    tone.frequency.value = frequency
    tone.connect(context.destination)
    tone.start(context.currentTime + after)
    tone.stop(context.currentTime + after + 0.15)
  }
}
