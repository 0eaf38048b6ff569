import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/**
 * Radix adds two <style> elements that the content security policy forbids. The one that locks the scrollbar is dropped (wheel and touch
 * are locked by listeners anyway); the rule of the other is in `ui/input/select.css`. A Radix without it stops the build.
 */
function withoutInlineStyles(): Plugin {
  const singleton = '\0style-singleton'
  const viewportStyle =
    /\/\* @__PURE__ \*\/ jsx\(\s*"style",\s*\{\s*dangerouslySetInnerHTML: \{\s*__html: `\[data-radix-select-viewport\][^`]*`\s*\},\s*nonce\s*\}\s*\)/
  return {
    name: 'without-inline-styles',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (id === 'react-style-singleton' ? singleton : null),
    load: (id) => (id === singleton ? 'export const styleSingleton = () => () => null' : null),
    transform(code, id) {
      if (!/@radix-ui\/react-select\/dist\/index\.mjs$/.test(id)) return null
      if (!viewportStyle.test(code)) this.error('The select of this Radix version has another inline style: see withoutInlineStyles')
      return { code: code.replace(viewportStyle, 'null'), map: null }
    },
  }
}

/** A Brotli file beside each text and module, so that the server compresses nothing that never changes. */
function withBrotliFiles(): Plugin {
  const compress = promisify(brotliCompress)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  return {
    name: 'with-brotli-files',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(html|css|svg|m?js|wasm)$/.test(name))
      await Promise.all(
        names.map(async (name) => writeFile(join(dir, `${name}.br`), await compress(await readFile(join(dir, name)), { params }))),
      )
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), withoutInlineStyles(), withBrotliFiles()],
  publicDir: 'public',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Fonts and images stay files: the policy's font-src names only ourselves.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // What several screens share comes in one piece, not in one request for each button and icon.
        codeSplitting: { groups: [{ name: 'ui', test: /[\\/](web[\\/]src[\\/]ui|lucide-react)[\\/]/, minShareCount: 3 }] },
      },
    },
  },
})
