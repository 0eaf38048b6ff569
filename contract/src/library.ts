import * as z from 'zod/mini'
import { BuilderDevice } from './barcode/catalogue.ts'
import { commandListProblem } from './barcode/configuration-payload.ts'
import { endpoint, organization } from './http/endpoint.ts'
import { Instant } from './text/text.ts'

/** A configuration of the library (spec §3). `commands` begin with CFR where the reader is reset first. */
export const SavedConfiguration = z.object({ name: z.string(), device: z.string(), commands: z.array(z.string()), creationDate: Instant })
export type SavedConfiguration = z.infer<typeof SavedConfiguration>

/** Longest name, in characters. */
export const configurationNameLength = 200

/** Most commands of one configuration, and most characters of all of them: what some twenty symbols hold. */
const limits = { commands: 2_000, characters: 60_000 }

/** Commands as they are sent, in order. Refused with the reason: what is no command, and too much. */
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

/** A reader that configurations are made for, refused in words. */
export const ConfigurationDevice = z.enum(BuilderDevice.options, { error: (issue) => `Unsupported device: ${String(issue.input)}` })

const base = '/api/codedm/organization/{organizationId}/configuration'

export const savedConfigurationEndpoints = {
  listSavedConfigurations: endpoint({
    method: 'GET',
    path: base,
    access: organization(),
    shows: ['library'],
    summary: 'The configuration library, the newest first',
    response: z.array(SavedConfiguration),
  }),
  saveConfiguration: endpoint({
    method: 'POST',
    path: `${base}/device/{deviceName}/name/{name}`,
    access: organization(),
    changes: ['library'],
    audit: 'AdvancedConfigCreated',
    summary: 'Saves a configuration in the library',
    params: z.object({ deviceName: ConfigurationDevice }),
    body: CommandList,
    response: SavedConfiguration,
  }),
  deleteSavedConfiguration: endpoint({
    method: 'DELETE',
    path: `${base}/device/{device}/name/{name}`,
    access: organization(),
    changes: ['library'],
    audit: 'AdvancedConfigDeleted',
    summary: 'Deletes a configuration from the library',
  }),
}
