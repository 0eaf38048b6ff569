import * as z from 'zod/mini'

const { localeError } = z.locales.en()

/**
 * Words for what a schema refuses and has no words of its own for, such as `invalid input: expected number, received NaN`.
 * They begin small, as they follow the name of the field. Without this there is only "Invalid input".
 */
z.config({
  localeError: (issue) => {
    const said = localeError(issue)
    const message = typeof said === 'string' ? said : (said?.message ?? 'is not valid')
    return message.charAt(0).toLowerCase() + message.slice(1)
  },
})
