import type { Plugin } from 'vite'

// Large packages that few people need; they are loaded when asked for.
const onDemand = /[\\/]node_modules[\\/](chart\.js|world-atlas|pdfjs-dist|zxing-wasm|libphonenumber-js|@sentry)[\\/][^?]+$/

/** Writes `fetch-ahead.json`: the addresses of the scripts and style sheets that the first page does not load. */
export function fetchAhead(): Plugin {
  return {
    name: 'fetch-ahead',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const later = chunks.filter(({ isEntry, moduleIds }) => !isEntry && !moduleIds.some((id) => onDemand.test(id)))
      const files = later.flatMap(({ fileName, viteMetadata }) => [fileName, ...(viteMetadata?.importedCss ?? [])])
      const source = JSON.stringify([...new Set(files)].map((file) => `/${file}`))
      this.emitFile({ type: 'asset', fileName: 'fetch-ahead.json', source })
    },
  }
}
