// npm run check:time-zones: update times and windows around every change of every time zone in ten years, of which `npm test` takes a sample.
import { exitWith, launch } from './launch.mjs'
import { ensureInstalled } from './setup.mjs'

await exitWith(() =>
  launch(
    ensureInstalled(),
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      'unit',
      'contract/src/publications/update-time-zones',
      'contract/src/schedule/open-times',
      ...process.argv.slice(2),
    ],
    {
      ...process.env,
      LECTERN_EVERY_ZONE: '1',
    },
  ),
)
