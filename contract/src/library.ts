import * as z from 'zod/mini'
import { BuilderDevice } from './barcode/catalogue.ts'
import { commandListProblem } from './barcode/configuration-payload.ts'
import { endpoint, organization } from './http/endpoint.ts'
import { Instant } from './text/text.ts'

/** `commands` begin with CFR where the reader is reset first (spec §3). */
export const SavedConfiguration = z.object({ name: z.string(), device: z.string(), commands: z.array(z.string()), creationDate: Instant })
export type SavedConfiguration = z.infer<typeof SavedConfiguration>

export const configurationNameLength = 200

/** What some twenty symbols hold. */
const limits = { commands: 2_000, characters: 60_000 }

export const CommandList = z.array(z.string()).check(
  z.maxLength(limits.commands, `must have at most ${limits.commands} commands`),
  z.check((context) => {
    const { value } = context
    const isLong = value.reduce((sum, command) => sum + command.length, 0) > limits.characters
    const message = isLong
      ? `must have at most ${limits.characters} characters in all`
      : commandListProblem({ commands: value, reset: false })
    if (message) context.issues.push({ code: 'custom', message, input: value })
  }),
)

export const ConfigurationDevice = z.enum(BuilderDevice.options, { error: (issue) => `Unsupported device: ${String(issue.input)}` })

const base = '/api/codedm/organization/{organizationId}/configuration'

export const libraryEndpoints = {
  listSavedConfigurations: endpoint({
    method: 'GET',
    path: base,
    access: organization(),
    limitedRole: 'everything',
    shows: ['library'],
    summary: 'The configuration library, the newest first',
    response: z.array(SavedConfiguration),
  }),
  saveConfiguration: endpoint({
    method: 'POST',
    path: `${base}/device/{deviceName}/name/{name}`,
    access: organization(),
    limitedRole: 'everything',
    changes: ['library'],
    audit: 'AdvancedConfigCreated',
    summary: 'Saves a configuration in the library',
    params: z.object({ deviceName: ConfigurationDevice }),
    body: CommandList,
    maxBodyBytes: 80 * 1024,
    response: SavedConfiguration,
  }),
  deleteSavedConfiguration: endpoint({
    method: 'DELETE',
    path: `${base}/device/{device}/name/{name}`,
    access: organization(),
    limitedRole: 'everything',
    changes: ['library'],
    audit: 'AdvancedConfigDeleted',
    summary: 'Deletes a configuration from the library',
  }),
}
