// npm start: installs what is missing, builds the web app when it changed, starts the server. Arguments go to the server.
import { exitWith, launch } from './launch.mjs'
import { ensureInstalled } from './setup.mjs'
import { ensureWebApp } from './web-app.mjs'

await exitWith(async () => {
  const node = ensureInstalled()
  ensureWebApp(node)
  console.log('Starting the server …')
  const demo = process.env.DEMO ?? (process.env.NODE_ENV === 'production' ? 'off' : 'on')
  return launch(node, ['server/src/main.ts', ...process.argv.slice(2)], { ...process.env, DEMO: demo })
})
