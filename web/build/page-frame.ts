import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { type ComponentType, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type Plugin, runnerImport } from 'vite'

/** Draws the `Frame` of a module into the page, in the place of `<!--frame-->`. */
export function pageFrame(module: string): Plugin {
  return {
    name: 'page-frame',
    apply: 'build',
    async transformIndexHtml(html) {
      const drawn = await runnerImport<{ Frame: ComponentType }>(resolve(module), { configFile: false, plugins: [withoutStyles, react()] })
      return html.replace('<!--frame-->', () => renderToStaticMarkup(createElement(drawn.module.Frame)))
    },
  }
}

// The page links its style sheets already, so the frame needs none.
const withoutStyles: Plugin = {
  name: 'without-styles',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('.css') ? '\0no-styles' : null),
  load: (id) => (id === '\0no-styles' ? '' : null),
}
