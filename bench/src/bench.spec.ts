import { afterAll, test } from 'vitest'
import { benchAgents } from './agents.ts'
import { benchExports } from './exports.ts'
import { benchFirmware } from './firmware.ts'
import { benchGraphs } from './graphs.ts'
import { benchIngest } from './ingest.ts'
import { benchDevices, benchDirectory, benchSearches } from './lists.ts'
import { printVerdicts } from './measure.ts'
import { benchMemory } from './memory.ts'
import { benchPages } from './pages.ts'
import { withPortal } from './portal.ts'
import { benchPublish } from './publish.ts'
import { benchRollouts } from './rollouts.ts'
import { benchRowSecurity } from './row-security.ts'
import { benchStreams } from './streams.ts'

afterAll(printVerdicts)

// Titles begin with the name that `npm run bench -- NAME` runs.
test('directory: the list of all organizations', () => withPortal(['global:access:organizations'], benchDirectory))
// FOLDER keeps the database, which takes minutes to fill with READERS=1000000 ZONES=2000 OTHERS=1000.
const { FOLDER: folder } = process.env
test('devices: [SCL-01 SCL-02 SCL-09 SPD-01 SPD-02] the list of a large organization', () => withPortal([], benchDevices, { folder }))
test('searches: [SCL-03 SPD-03] searches of that list', () => withPortal([], benchSearches, { folder }))
test('pages: [SCL-08] pages a second', () => withPortal([], benchPages, { isCounted: false }))
test('ingest: [SCL-05 SCL-06 SCL-10] check-ins, and a list beside them', () => withPortal([], benchIngest))
test('agents: [SCL-12] requests of host PCs', () => withPortal(['manage:cfg'], benchAgents, { isCounted: false }))
test('memory: [SCL-15] npm start with the demo', () => benchMemory())
test('exports: [SCL-07 INP-07] both CSV files, and the workbook', () =>
  withPortal(['access:audit_log'], benchExports, { isCounted: false }))
test('firmware: a large release', () => withPortal(['global:access:organizations', 'manage:firmware'], benchFirmware))
test('publish: [MNY-02 MNY-03] one call to 1,000 zones, and what they are chosen from', () =>
  withPortal(['global:access:organizations', 'manage:cfg'], benchPublish, { isCounted: false }))
test('rollouts: [SCL-13] what their page costs, and how live they are', () =>
  withPortal(['global:access:organizations', 'manage:cfg'], benchRollouts))
test('row-security: [RLS-04] what it costs', () => withPortal([], benchRowSecurity, { isCounted: false }))
test('streams: [SCL-11] idle event streams', () => withPortal([], benchStreams))
test('graphs: a year of a large organization', () => withPortal(['global:access:analytics'], benchGraphs))
