/** The link for a mail to an address. It escapes what an address may have and a link takes for something else, such as `?bcc=`. */
export const mailLink = (email: string): string => `mailto:${encodeURIComponent(email).replace('%40', '@')}`
