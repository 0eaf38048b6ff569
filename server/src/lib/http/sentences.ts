import * as z from 'zod/mini'

const { localeError } = z.locales.en()

/** Schemas' default messages, in lower case, as they follow the field's name. Without a locale zod has only "Invalid input". */
z.config({
  localeError: (issue) => {
    const error = localeError(issue)
    const message = typeof error === 'string' ? error : (error?.message ?? 'is not valid')
    return message.charAt(0).toLowerCase() + message.slice(1)
  },
})
