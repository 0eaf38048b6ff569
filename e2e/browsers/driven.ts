import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** A page of a browser that the tests drive through one tab, whatever its protocol. Waits at most 20 s for what must be there. */
export interface Driven {
  /** Shows an address, as a person does who types it. */
  open(url: string): Promise<void>
  resize(width: number, height: number): Promise<void>
  /** Runs a function in the page. It sees nothing of this program but its argument. */
  evaluate<Argument, Result>(work: (argument: Argument) => Result, argument: Argument): Promise<Awaited<Result>>
  /** Presses the first element that has this role and a name that begins with this text. */
  press(role: Role, name: string): Promise<void>
  /** Types into the field with this label, replacing its text. */
  fill(label: string, text: string): Promise<void>
  /** Presses the keys of a text one after the other, wherever the focus is. `gap`: milliseconds between two keys. */
  type(text: string, gap?: number): Promise<void>
  /** Returns the console's errors and failed calls since the last call. */
  takeErrors(): Promise<string[]>
  close(): Promise<void>
}

export type Role = 'button' | 'checkbox' | 'combobox' | 'heading' | 'link' | 'option' | 'radio' | 'textbox'

export const patience = { timeout: 20_000, interval: 50 }

/** Finds elements by role, name and label in a page whose protocol knows selectors alone. */
export const finderSource = await readFile(
  createRequire(import.meta.url).resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'),
  'utf8',
)
