import * as z from 'zod/mini'

const { localeError } = z.locales.en()

/** Default messages of schemas, in lower case since they follow the name of the field. Without a locale, zod says only "Invalid input". */
z.config({
  localeError: (issue) => {
    const error = localeError(issue)
    const message = typeof error === 'string' ? error : (error?.message ?? 'is not valid')
    return message.charAt(0).toLowerCase() + message.slice(1)
  },
})
