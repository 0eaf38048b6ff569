import type { Message, Storage } from '../storage.ts'

interface Settings {
  storage: Storage
  mail?: ((message: Message) => Promise<void>) | undefined
  onError: (error: unknown) => void
}

/** Sends messages. Without mail, or when it fails, a message is saved for the operator. Never throws. @param expiresIn seconds it is kept */
export function createDelivery({ storage, mail, onError }: Settings) {
  const isMailed = (message: Message): Promise<boolean> =>
    mail
      ? mail(message).then(
          () => true,
          (error: unknown) => {
            onError(error)
            return false
          },
        )
      : Promise.resolve(false)

  return async (message: Message, expiresIn: number): Promise<void> => {
    if (await isMailed(message)) return
    await storage.saveMessage(message, expiresIn).catch(onError)
  }
}

export type Delivery = ReturnType<typeof createDelivery>
