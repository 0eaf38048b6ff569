import * as z from 'zod/mini'
import { endpoint } from './http/endpoint.ts'
import { Text } from './text/text.ts'

const optionalText = (max: number) => z._default(z.nullable(Text(max)), null)
const choice = z._default(z.nullable(z.boolean()), null)

/** As entered by the user. Every field may be missing (spec §3). */
export const ScannerAppUser = z.object({
  userId: optionalText(200),
  userType: optionalText(200),
  name: optionalText(200),
  email: optionalText(254),
  phone: optionalText(100),
  doOptInForAppUpdates: choice,
  doOptInForEnterpriseUpdates: choice,
  companyName: optionalText(200),
  companySize: optionalText(100),
  role: optionalText(200),
  industry: optionalText(200),
})
export type ScannerAppUser = z.infer<typeof ScannerAppUser>

const path = '/api/lectern/scanner-app-users'

export const scannerAppUserEndpoints = {
  getScannerAppUser: endpoint({
    method: 'GET',
    path,
    access: 'self',
    limitedRole: 'everything',
    shows: [],
    summary: 'The scanner-app user of an e-mail address: one’s own (staff: any)',
    query: z.object({ email: Text(254) }),
    response: ScannerAppUser,
  }),
  saveScannerAppUser: endpoint({
    method: 'POST',
    path,
    access: 'self',
    limitedRole: 'everything',
    changes: [],
    audit: 'saveScannerAppUser',
    summary: 'Saves oneself as a scanner-app user (staff: anybody); replaces what was there',
    body: ScannerAppUser,
    response: ScannerAppUser,
  }),
}
