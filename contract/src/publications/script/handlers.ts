/** The functions of a script that a reader calls (docs/decisions/0056). */
export const handlerNames = ['rules_onDecode', 'rules_onDecodes', 'rules_onDecodeAttempt', 'rules_onConfigure'] as const
export type HandlerName = (typeof handlerNames)[number]

/** The handler that is called with samples. Only of this one the arguments are known. */
export const sampledHandler = 'rules_onDecode' satisfies HandlerName

const mostNames = 50

/** Lists names in a script that begin as handlers do and are none, up to 50. */
export function listUnknownNames(text: string): string[] {
  const known: readonly string[] = handlerNames
  const names = new Set(text.match(/(?<![\w$])rules_[\w$]+/g))
  return [...names].filter((name) => !known.includes(name)).slice(0, mostNames)
}
