import type { Subject } from '@lectern/contract/http/subjects.ts'

/** The tables that the reads of a subject show. A table may belong to several subjects. */
export const subjectTables: Record<Subject, string[]> = {
  ads: ['ad'],
  audit: [],
  cases: ['support_case'],
  devices: ['device', 'device_event', 'desired', 'reapplication'],
  desk: ['desk_record'],
  groups: ['group', 'group_product', 'member', 'directory_count'],
  'legacy-configs': ['config'],
  library: ['saved_configuration', 'saved_version'],
  licences: ['licence', 'licence_owner', 'licence_tally', 'organization'],
  organizations: ['organization', 'directory_count'],
  people: ['user', 'member', 'role', 'role_zone', 'role_tag', 'invitation', 'passkey_recovery', 'organization'],
  products: ['product'],
  readers: ['reader'],
  registration: ['group_product', 'member'],
  releases: ['firmware_release'],
  rollouts: [
    'rollout',
    'rollout_content',
    'rollout_count',
    'rollout_phase',
    'publication',
    'outcome',
    'reapplication',
    'organization',
    'publication_reader',
    'previous_content',
    // A zone counts its roll backs.
    'zone',
  ],
  schedule: ['schedule'],
  zones: ['zone', 'zone_tag', 'tag', 'host', 'device'],
}

/** Tables that no page shows, or only graphs. */
export const unshownTables = [
  'event',
  'upload',
  'signing_secret',
  // Messages that no mail server took.
  'idp_message',
  'ended_session',
  'idp_attempt',
  'idp_passkey',
  'decode_use',
  'scanner_app_user',
  'reported_device',
  'handed_out',
  'device_day',
  'device_tally',
  'device_total',
  'device_count',
  'firmware_count',
  'firmware_total',
  'configuration_count',
  'present_change',
  'device_id_day',
  'storage_count',
  // Pages do not look at once at what time changes.
  'server_beat',
  'check_in_outage',
]
