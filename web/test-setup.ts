// As long as `expect.poll` waits. The library's second is too short for a busy machine.
if ('document' in globalThis) {
  const { configure } = await import('@testing-library/react')
  configure({ asyncUtilTimeout: 30_000 })
}

export {}
