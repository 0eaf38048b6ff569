import { createTransport } from 'nodemailer'

/** Sends plain-text letters through an SMTP server. Throws when the server refuses or does not answer. */
export function createMail(smtpUrl: string, from: string): (message: { to: string; subject: string; text: string }) => Promise<void> {
  const transport = createTransport(smtpUrl)
  return async (message) => {
    await transport.sendMail({ from, ...message })
  }
}
