import type { PublicSettings } from '@lectern/contract/system.ts'
import type { Settings } from '../lib/settings.ts'

export const toPublicSettings = (settings: Settings): PublicSettings => ({
  providerName: settings.providerName,
  auth: { domain: settings.auth.domain, clientId: settings.auth.clientId, audience: settings.auth.audience },
  featureFlags: settings.featureFlags,
  accountUrl: settings.accountUrl,
  supportPhone: settings.supportPhone,
  brands: [settings.brands[0].name, settings.brands[1].name],
  localToken: settings.localToken,
  sentryDsn: settings.sentryDsn,
  largePublish: settings.largePublish,
})
