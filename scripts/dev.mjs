// npm run dev: like npm start, but server and web app are renewed when a file changes.
import { exitWith, launch } from './launch.mjs'
import { ensureInstalled } from './setup.mjs'
import { ensureWebApp, forgetWebApp, viteBuild } from './web-app.mjs'

await exitWith(async () => {
  const node = ensureInstalled()
  ensureWebApp(node)
  forgetWebApp()
  const env = { ...process.env, DEMO: process.env.DEMO ?? 'on' }
  const server = launch(node, ['--watch', '--watch-preserve-output', 'server/src/main.ts', ...process.argv.slice(2)], env)
  // A development build has the page that shows every part of the interface.
  const web = launch(node, [...viteBuild, '--mode', 'development', '--watch', '--no-emptyOutDir'], {
    ...process.env,
    NODE_ENV: 'development',
  })
  const code = await Promise.race([server, web])
  // One of the two ended: the other would go on without anybody noticing.
  process.emit('SIGTERM', 'SIGTERM')
  await Promise.all([server, web])
  return code
})
