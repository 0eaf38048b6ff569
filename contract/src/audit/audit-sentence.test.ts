import { expect, test } from 'vitest'
import type { AuditEntry } from './audit.ts'
import { formatPredicate, formatSentence } from './audit-sentence.ts'
import { ChangeType, specifiedChangeTypes } from './changes.ts'

const user = { name: 'Ada Okoro', email: 'ada@people.example' }
/** An entry that has something everywhere. */
const full = {
  user,
  target: 'CR2700',
  newValue: 'Night shift',
  zoneName: 'ICU 3 North',
  version: '4.12.0',
  configName: 'Wristband v7',
  deviceSerial: '27P041',
}
const said = (changeType: string, parts: Partial<AuditEntry> = {}) => formatSentence({ ...full, changeType, ...parts })

test('[AUD-04] each of the seven change types has its sentence', () => {
  expect(specifiedChangeTypes.map((type) => said(type))).toEqual([
    'Ada Okoro created the zone ICU 3 North',
    'Ada Okoro deleted the zone ICU 3 North',
    'Ada Okoro set firmware 4.12.0 for CR2700 in ICU 3 North',
    'Ada Okoro set the configuration of CR2700 in ICU 3 North to Wristband v7',
    'Ada Okoro created the configuration Wristband v7 for CR2700',
    'Ada Okoro deleted the configuration Wristband v7 for CR2700',
    'Ada Okoro installed firmware 4.12.0 on 27P041 in ICU 3 North',
  ])
})

test('every other change type has a sentence of its own too', () => {
  const sentences = ChangeType.options.map((type) => said(type))
  expect(new Set(sentences).size).toBe(ChangeType.options.length)
  for (const sentence of sentences) expect(sentence).toMatch(/^Ada Okoro [a-z]/)
  for (const sentence of sentences) expect(sentence).not.toMatch(/[[\]{}]|undefined|made the change/)
  expect(said('markOrganization', { newValue: 'true' })).toBe('Ada Okoro marked the organization as having Epic data')
  expect(said('markOrganization', { newValue: 'false' })).toBe('Ada Okoro took the mark Epic data from the organization')
  const offered = (newValue: string) => said('offerFirmwareRelease', { newValue })
  expect(offered('true')).toBe('Ada Okoro offered the firmware release 4.12.0 for CR2700 again')
  expect(offered('false')).toBe('Ada Okoro withdrew the firmware release 4.12.0 for CR2700')
  const changed = (newValue?: string) => said('updateReader', { newValue })
  expect(changed('lost')).toBe('Ada Okoro marked the registered reader 27P041 as lost')
  expect(changed('found')).toBe('Ada Okoro marked the registered reader 27P041 as found')
  expect(changed()).toBe('Ada Okoro changed the registered reader 27P041')
  const noted = (newValue?: string) => said('setZoneNote', { newValue })
  expect(noted()).toBe('Ada Okoro emptied the note of the zone ICU 3 North')
  expect(noted('Night shift')).toBe('Ada Okoro changed the note of the zone ICU 3 North to Night shift')
  const retried = (newValue: string) => said('retryRollout', { target: 'Wristband v7', zoneName: undefined, newValue })
  expect(retried('1')).toBe('Ada Okoro had the rollout of Wristband v7 tried again on 1 reader that failed')
  expect(retried('12')).toBe('Ada Okoro had the rollout of Wristband v7 tried again on 12 readers that failed')
})

test('[AUD-03] a missing user is an unknown user', () => {
  expect(said('ZoneCreate', { user: undefined })).toBe('an unknown user created the zone ICU 3 North')
})

test('[PUB-15] what the safety limit has halted, Lectern did, not an unknown user', () => {
  const halted = { user: undefined, target: 'Wristband v7', zoneName: 'ED Triage', newValue: '4 of 74 readers' }
  expect(said('safetyHalt', halted)).toBe('Lectern halted the rollout of Wristband v7 in ED Triage, as 4 of 74 readers failed')
  expect(said('setSafetyLimit', { target: 'Wristband v7', zoneName: undefined, newValue: '5%, also for later rollouts' })).toBe(
    'Ada Okoro set the safety limit of Wristband v7 to 5%, also for later rollouts',
  )
})

test('what an entry does not say is left out, or the type stands for it', () => {
  expect(said('AdvancedConfigCreated', { target: undefined })).toBe('Ada Okoro created the configuration Wristband v7')
  expect(said('removeHost', { target: 'HOST-1', zoneName: undefined })).toBe('Ada Okoro removed the host PC HOST-1')
  expect(said('ZoneCreate', { zoneName: undefined })).toBe('Ada Okoro made the change ZoneCreate')
  expect(said('somethingNew')).toBe('Ada Okoro made the change somethingNew')
  expect(said('toString')).toBe('Ada Okoro made the change toString')
})

test('what an entry says is never taken for our own words', () => {
  const zoneName = '{target}[x]<b>$&'
  expect(formatPredicate({ ...full, changeType: 'ZoneCreate', zoneName })).toEqual([
    { text: 'created the zone ' },
    { text: zoneName, place: 'zoneName' },
  ])
})
