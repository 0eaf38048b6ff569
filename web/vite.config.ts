import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { evaluatedModules } from './build/evaluated-modules.ts'
import { fetchAhead } from './build/fetch-ahead.ts'
import { pageFrame } from './build/page-frame.ts'

// Radix adds two <style> elements, which the content security policy forbids. The one that locks the scrollbar is dropped, as listeners
// lock wheel and touch; the rule of the other is in `ui/input/select.css`. The build stops where Radix does not have them as expected.
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

// Writes a Brotli file beside each text and module, so that the server need not compress what never changes.
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

// Builds the sign-in library from its sources. Its own build is four kilobytes larger, for browsers without async functions.
function signInFromSources(): Plugin {
  const sources = join(import.meta.dirname, '../node_modules/@auth0/auth0-spa-js/src')
  return {
    name: 'sign-in-from-sources',
    apply: 'build',
    enforce: 'pre',
    resolveId(id) {
      if (id === '@auth0/auth0-spa-js') return join(sources, 'Auth0Client.ts')
      // The worker has a file of its own (`workerUrl`). Tokens that prove possession and calls of its own API are not used.
      return /^dpop$|\/(token\.worker\.ts|dpop\/dpop|fetcher|MyAccountApiClient)$/.test(id) ? '\0unused' : null
    },
    load: (id) =>
      id === '\0unused'
        ? 'export default undefined; export class Dpop {}; export class Fetcher {}; export class MyAccountApiClient {}'
        : null,
  }
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    tailwindcss(),
    signInFromSources(),
    evaluatedModules(
      ['endpoints', 'shapes'].map((name) => join(import.meta.dirname, `src/lib/api/${name}.ts`)),
      [join(import.meta.dirname, '../contract/src')],
    ),
    pageFrame(join(import.meta.dirname, 'src/shell/frame.tsx')),
    fetchAhead(),
    withoutInlineStyles(),
    withBrotliFiles(),
  ],
  publicDir: 'public',
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Fonts and images stay files, as the policy's font-src has only our own origin.
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Getters have no effects, so unused reads are removed.
      treeshake: { propertyReadSideEffects: false },
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 9 },
            {
              name: 'products',
              test: /[\\/](products[\\/]product-(card|picture|order)|http[\\/]product-list|ads[\\/]ad-card|safe-address|reader-drawing)/,
              minShareCount: 2,
              priority: 9,
            },
            // A group includes what its files import; where several groups would, the highest priority wins.
            {
              name: 'schemas',
              test: /[\\/](zod[\\/]|contract[\\/]src[\\/](text[\\/]|http[\\/]|devices[\\/](device-models|evidence)\.))/,
              minShareCount: 3,
              priority: 8,
            },
            { name: 'layers', test: /[\\/]react-(dialog|dismissable-layer|focus-(scope|guards)|remove-scroll|portal)[\\/]/, priority: 7 },
            {
              name: 'common',
              test: /[\\/](lucide-react|src[\\/]ui[\\/](feedback[\\/](?!toasts|tooltip-box|notice)|layout[\\/](?!tiles|accordion|disclosure|action-foot|definition-list|stepper)|[^\\/]+$))/,
              minShareCount: 5,
              priority: 7,
            },
            {
              name: 'inputs',
              test: /[\\/](react-(radio-group|accordion)|src[\\/](text[\\/]file-size\.|ui[\\/](input[\\/](?!select)|form[\\/]field\.|dialog[\\/](?!dialog-host)|feedback[\\/]notice|layout|button)|lib[\\/](now|list-address|files[\\/]save-file|share)\.))/,
              minShareCount: 3,
              priority: 6,
            },
            { name: 'select', test: /[\\/](react-(select|popper)|@floating-ui|ui[\\/]input[\\/]select\.)/, priority: 5 },
            { name: 'tables', test: /[\\/](react-table|table-core|ui[\\/]table)/, minShareCount: 3, priority: 4 },
            {
              name: 'forms',
              test: /[\\/](react-hook-form|ui[\\/]form[\\/](?!file|choice)|lib[\\/]form[\\/])/,
              minShareCount: 3,
              priority: 3,
            },
            {
              name: 'symbols',
              test: /[\\/](uqr|contract[\\/]src[\\/]barcode|web[\\/]src[\\/]barcode[\\/]symbols)[\\/]/,
              minShareCount: 3,
              priority: 6,
            },
            {
              name: 'publishing',
              test: /[\\/](contract[\\/]src[\\/](publications[\\/](cfg|phases|publications|safety-limit|version-name)|firmware[\\/]firmware)|web[\\/]src[\\/](publications[\\/](wizard-state|draft[\\/]file-data|content[\\/]choices|many[\\/]chosen-zones)|lib[\\/](safety[\\/]phases|api[\\/]uploads|files[\\/]stored-files)))\.|idb-keyval/,
              minShareCount: 2,
              priority: 1,
            },
            {
              name: 'people',
              test: /[\\/]src[\\/]people[\\/](role-effects|roles|passkeys|invite|permission-words)\./,
              minShareCount: 2,
              priority: 1,
            },
            {
              name: 'rollouts',
              test: /[\\/]src[\\/]rollouts[\\/](rollout-(marks|words)|use-coming-runs|run-lines)\./,
              minShareCount: 2,
              priority: 0,
            },
            {
              name: 'small',
              test: /[\\/](lucide-react|web[\\/]src[\\/](ui|.*-words\.ts$)|support-line|zone-summary)/,
              maxModuleSize: 1_800,
              minShareCount: 2,
              priority: 1,
            },
            {
              name: 'shared',
              test: /[\\/](contract[\\/]src(?![\\/](library|publications[\\/](cfg|phases|publications|safety-limit)|firmware[\\/]firmware)\.)|lib[\\/](?!form[\\/])[^\\/]+$|query-core|react-query)/,
              minShareCount: 5,
              priority: 2,
            },
          ],
        },
      },
    },
  },
})
