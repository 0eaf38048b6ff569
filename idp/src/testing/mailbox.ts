import { expect } from 'vitest'
import type { Message } from '../storage.ts'
import { hiddenFields, openSignIn, startProvider, visitor } from './test-provider.ts'

/** A provider behind a proxy, and a mailbox that has what it sends. No mail reaches addresses that begin with "unreachable". */
export async function startWithMail(options: Parameters<typeof startProvider>[0] = {}) {
  let mailed: Message[] = []
  let wake = () => {}
  const provider = await startProvider({
    trustProxy: 1,
    mail: async (message) => {
      if (message.to.startsWith('unreachable')) throw new Error('no such mailbox')
      mailed.push(message)
      wake()
    },
    ...options,
  })

  /** Returns the next message to an address whose subject has these words; waits until it is sent. */
  async function mailTo(to: string, words = ''): Promise<Message> {
    for (;;) {
      const message = mailed.find((each) => each.to === to && each.subject.includes(words))
      mailed = mailed.filter((each) => each !== message)
      if (message) return message
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  function linkIn(message: Message): string {
    const link = new URL(/http\S+/.exec(message.text)?.[0] ?? '')
    expect(link.origin).toBe(provider.url)
    return `${link.pathname}${link.search}`
  }

  /** Each person has an address of their own, so that attempts of one test do not count in another. */
  let lastAddress = 0
  function person() {
    lastAddress += 1
    const from = `203.0.113.${lastAddress}`
    const visits = visitor(provider.url)
    async function fill(page: string, fields: Record<string, string>) {
      const hidden = hiddenFields(await (await visits.send(page)).text())
      const answer = await visits.post(page, { ...hidden, ...fields }, { 'x-forwarded-for': from })
      return { answer, text: await answer.clone().text() }
    }
    return { ...visits, fill }
  }

  /** Asks for an account at the sign-in page, and opens the mailed link. */
  async function signUp(email: string, password = 'correct horse') {
    const someone = person()
    const { page } = await openSignIn(provider, someone)
    expect((await someone.fill(`${page}/signup`, { email })).text).toContain(`We have sent a message to ${email}.`)
    const link = linkIn(await mailTo(email))
    const { text } = await someone.fill(link, { password })
    expect(text).toContain('Account created')
    return { someone, page, link, text }
  }

  return { provider, mailTo, linkIn, person, signUp, listMailed: () => mailed }
}
