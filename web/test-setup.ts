// As long as `expect.poll` waits: the library's own second is less than a busy machine may take.
if ('document' in globalThis) {
  const { configure } = await import('@testing-library/react')
  configure({ asyncUtilTimeout: 30_000 })
}

export {}
