import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Enrollment } from '@lectern/contract/hosts.ts'
import { expect, test } from 'vitest'
import { inProcessDriver } from '../drivers/simulated/in-process.ts'
import { credentialHash } from '../state/enrollment.ts'
import { folderAt } from '../state/folder.ts'
import { newFolder } from '../testing/folder.ts'
import { memoryLog } from '../testing/log.ts'
import { json, startPeer } from '../testing/peer.ts'
import { enroll } from './enroll.ts'
import { run } from './run.ts'

const zoneId = '0198c0de-0001-7000-8000-000000000001'
const enrolled = { hostId: 'host', organizationId: 'organization', zoneName: 'ICU 3' }
const never = new AbortController().signal

/** A PC that is enrolled. `machineId`: null where it has none. */
async function newPc(machineId: string | null) {
  const peer = await startPeer((_call, response) => json(response, 200, enrolled))
  const location = join(newFolder(), 'Location.ctxdm')
  writeFileSync(location, zoneId)
  const options = { server: peer.url, licence: 'LEC-1', vendorKey: null, name: 'NRH-01', timeZone: null, replace: false, agentVersion: '1' }
  /** The folder as it is on a PC of this id. */
  function at(id: string | null, state: string) {
    const log = memoryLog()
    const readMachineId = async () => id
    const file = folderAt(state).enrollment
    return {
      state,
      log: log.lines,
      read: () => JSON.parse(readFileSync(file, 'utf8')),
      write: (value: object) => writeFileSync(file, JSON.stringify(value)),
      enroll: (more: { replace?: boolean } = {}) => enroll(location, { ...options, state, ...more, readMachineId }, log, never),
      /** Starts the agent, which ends at once unless it is refused before. */
      run: () =>
        run(
          {
            state,
            readMachineId,
            driver: async (folder) => inProcessDriver(folder, [], 0),
            poll: 60_000,
            interval: 900_000,
            agentVersion: '1',
          },
          log,
          AbortSignal.abort(),
        ),
    }
  }
  const pc = at(machineId, newFolder())
  await pc.enroll()
  return {
    pc,
    calls: peer.calls,
    command: `lectern-agent enroll Location.ctxdm --server ${peer.url} --licence … --replace`,
    copyTo(id: string | null) {
      const state = newFolder()
      cpSync(pc.state, state, { recursive: true })
      return at(id, state)
    },
  }
}

test('[AGT-08] of 50 copies on PCs with other ids none sends anything: each ends with the command that enrolls it, and with 8', async () => {
  const { pc, calls, copyTo, command } = await newPc('m1')
  const before = calls.length
  for (let copy = 0; copy < 50; copy++)
    await expect(copyTo(`other ${copy}`).run()).rejects.toMatchObject({
      exitCode: 8,
      message: `This state folder was made on another PC, for NRH-01. Nothing was sent. Enroll this PC as a new host PC: ${command}`,
    })
  await expect(copyTo('other').enroll()).rejects.toMatchObject({ exitCode: 8 })
  expect(calls).toHaveLength(before)
  await pc.run()
  await copyTo('m1').run()
})

test('[AGT-08] the folder has no id of the machine, and a copy cannot say which one it was', async () => {
  const { pc } = await newPc('3d1219c7c4c5404aaa1f6d2a48adfda4')
  expect(pc.read().machine).toMatch(/^[0-9a-f]{64}$/)
  expect(JSON.stringify(pc.read())).not.toContain('3d1219c7')
})

test('[AGT-08] a folder from before is bound at its first start, and keeps what a newer agent wrote', async () => {
  const { pc, copyTo } = await newPc('m1')
  const { machine, ...before } = pc.read()
  pc.write({ ...before, newer: 'kept' })
  await pc.run()
  expect(pc.read()).toEqual({ ...before, machine, newer: 'kept' })
  await expect(copyTo('m2').run()).rejects.toMatchObject({ exitCode: 8 })
})

test('[AGT-08] a PC without an id runs unbound and says so in one line, also with a folder that is bound', async () => {
  for (const machineId of [null, 'm1']) {
    const { copyTo } = await newPc(machineId)
    const pc = copyTo(null)
    await pc.run()
    expect(pc.read().machine === undefined).toBe(machineId === null)
    expect(pc.log.filter((line) => line.includes('machine id'))).toEqual([
      'Warning: This PC has no machine id. A copy of the state folder on another PC is not noticed here.',
    ])
  }
})

test('[AGT-08] --replace binds the folder to this PC, and names the credential that it gives up only where that was its own', async () => {
  const { pc, calls, copyTo } = await newPc('m1')
  const replaced = () => (calls.at(-1)!.body as Enrollment).replaces
  expect(replaced()).toBeUndefined()
  const copy = copyTo('m2')
  await copy.enroll({ replace: true })
  expect(replaced()).toBeUndefined()
  await copy.run()
  const { credential } = pc.read()
  await pc.enroll({ replace: true })
  expect(replaced()).toBe(credentialHash(credential))
  pc.write({})
  await pc.enroll({ replace: true })
  expect(replaced()).toBeUndefined()
})
