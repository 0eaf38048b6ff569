import { createHash } from 'node:crypto'
import { parseCommandLines } from '@lectern/contract/barcode/commands.ts'
import type { DialectCommand } from '@lectern/contract/devices/attached.ts'
import type { Countdown } from '../../wakeup.ts'
import { type ReaderContent, ReaderRefusal, ReaderUnreachable } from '../driver.ts'
import { type Dialect, escapeBytes, type Identity, UnknownAnswer } from './dialect.ts'
import type { DialectFile } from './dialect-file.ts'
import { mostUnanswered, type Wire } from './reader-line.ts'
import type { Timing } from './timing.ts'

const mostLooks = 3
const latin1 = (text: string) => Buffer.from(text, 'latin1')

/** The seven models: commands of configuration barcodes one by one, and plain responses. */
export class CommandDialect implements Dialect {
  readonly name = 'commands'
  readonly commands: readonly DialectCommand[]
  readonly can = ['commands'] as const
  readonly #file: DialectFile
  readonly #timing: Timing
  /** What the reader printed before the last content, until that is proven. */
  #before: { contentHash: string; printed: Uint8Array } | null = null
  #serialNumber: string | null = null
  /** In the reader's own word. */
  #model: string | undefined

  constructor(file: DialectFile, timing: Timing) {
    const { source, evidence } = file.frame
    this.#file = file
    this.#timing = timing
    this.commands = [
      {
        sends: `${escapeBytes(latin1(file.frame.before))} COMMAND ${escapeBytes(latin1(file.frame.after))}`,
        meaning: 'Encloses a command',
        source,
        evidence,
      },
      ...Object.values(file.commands).filter((command) => command !== undefined),
      {
        sends: 'Commands of the builder',
        meaning: 'Set what a configuration chose, each with its own evidence',
        source: 'The catalogue of the portal',
        evidence: 'secondary',
      },
    ]
  }

  async identify(wire: Wire, last: Identity | null): Promise<Identity | null> {
    const time = { left: this.#timing.dialect }
    const { commands, models } = this.#file
    const model = await this.#askTwice(wire, commands.model, this.#model, time)
    if (model === null) return null
    this.#model = model
    const serialNumber = await this.#askTwice(wire, commands.serialNumber, last?.serialNumber, time)
    // What responds alike to all is no reader.
    if (serialNumber === null || serialNumber === model) throw new UnknownAnswer(latin1(serialNumber ?? model))
    const firmware = await this.#askTwice(wire, commands.firmware, last?.firmware ?? undefined, time)
    const battery = commands.battery ? await this.#askTwice(wire, commands.battery, undefined, time) : null
    if (serialNumber !== this.#serialNumber) this.#before = null
    this.#serialNumber = serialNumber
    wire.setAnswered()
    return {
      model: Object.hasOwn(models, model) ? models[model]! : model,
      serialNumber,
      firmware,
      battery: battery !== null && /^\d{1,3}$/.test(battery) && Number(battery) <= 100 ? Number(battery) : null,
      configuration: await this.#readConfiguration(wire, last?.configuration ?? null),
    }
  }

  /**
   * No answer to a setting is published. So the configuration that the reader prints is the proof: it must differ from before.
   */
  async apply(wire: Wire, content: ReaderContent, progress: (bytes: number) => void): Promise<void> {
    const { contentHash } = content
    const before = this.#before?.contentHash === contentHash ? this.#before.printed : await this.#readConfiguration(wire, null)
    if (before === null) throw new ReaderUnreachable('The reader does not print its configuration, so nothing could be proven.')
    this.#before = { contentHash, printed: before }
    const chunks: Uint8Array[] = []
    for await (const chunk of content.open()) chunks.push(chunk)
    let sent = 0
    let answers = true
    for (const command of parseCommandLines(Buffer.concat(chunks).toString('utf8'))) {
      // A reader that does not answer the first command answers none.
      answers = (await this.#set(wire, command, answers)) || (answers && sent > 0)
      sent += command.length + 1
      progress(sent)
    }
    await this.#set(wire, this.#file.commands.save.sends, answers)
    const after = await this.#readConfiguration(wire, null)
    if (after === null) throw new ReaderUnreachable('The reader does not print its configuration after the commands.')
    this.#before = null
    if (Buffer.compare(before, after) === 0)
      throw new ReaderRefusal(
        'The reader prints the same configuration as before the commands: it has had these settings already, or it did not take them. What it responds to commands is not published.',
      )
  }

  /** Returns whether it was answered. */
  async #set(wire: Wire, command: string, answers: boolean): Promise<boolean> {
    const answer = await this.#ask(wire, command, { left: answers ? this.#timing.acknowledgement : this.#timing.quiet })
    const { refusal } = this.#file.answer
    if (refusal !== null && answer && this.#strip(answer).startsWith(refusal))
      throw new ReaderRefusal(`The reader refuses the command ${shorten(command)}: ${escapeBytes(answer)}`)
    return answer !== null
  }

  /** A scan may pass for an answer, so an answer counts when it is the last one's or comes twice. Null where none comes. */
  async #askTwice(wire: Wire, { sends }: DialectCommand, last: string | undefined, time: Countdown): Promise<string | null> {
    let before = last
    let answer: Uint8Array | null = null
    for (let looks = 0; looks < mostLooks; looks += 1) {
      answer = await this.#ask(wire, sends, time)
      if (answer === null) return null
      const line = this.#readLine(answer)
      if (line !== null && line === before) return line
      // What came before the answer was a scan.
      if (last !== undefined) wire.setInUse()
      before = line ?? before
    }
    throw new UnknownAnswer(answer!)
  }

  /** Null where none comes, or another one each time. */
  async #readConfiguration(wire: Wire, last: Uint8Array | null): Promise<Uint8Array | null> {
    const whole = { left: this.#timing.configuration }
    let before = last
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const answer = await this.#ask(wire, this.#file.commands.configuration.sends, whole)
      if (answer === null) return null
      wire.setAnswered()
      if (before && Buffer.compare(before, answer) === 0) return answer
      before = answer
    }
    return null
  }

  /** An answer is whole after a silence. Null where nothing comes. */
  async #ask(wire: Wire, command: string, time: Countdown): Promise<Uint8Array | null> {
    const { before, after } = this.#file.frame
    wire.clear()
    await wire.write(latin1(before + command + after))
    const bytes: number[] = []
    for (let byte = await wire.next(time); byte !== null; ) {
      bytes.push(byte)
      const quiet = { left: Math.min(this.#timing.quiet, time.left) }
      const given = quiet.left
      byte = await wire.next(quiet)
      time.left -= given - quiet.left
      if (time.left <= 0 || bytes.length > mostUnanswered) throw new UnknownAnswer(Uint8Array.from(bytes))
    }
    return bytes.length === 0 ? null : Uint8Array.from(bytes)
  }

  #strip(answer: Uint8Array): string {
    const { before, after } = this.#file.answer
    const text = Buffer.from(answer).toString('latin1')
    const [from, to] = [text.startsWith(before) ? before.length : 0, text.endsWith(after) ? text.length - after.length : text.length]
    return text.slice(from, Math.max(from, to))
  }

  /** Null for a refusal, and for what is not one line of printable characters. */
  #readLine(answer: Uint8Array): string | null {
    const { refusal } = this.#file.answer
    const text = this.#strip(answer)
      .replace(/[\r\n]+$/, '')
      .trim()
    const isRefused = refusal !== null && text.startsWith(refusal)
    return !isRefused && /^[!-~](?:[ -~]{0,62}[!-~])?$/.test(text) ? text : null
  }
}

const shorten = (command: string): string => (command.length > 60 ? `${command.slice(0, 60)}…` : command)

/** The hash by which a printed configuration is recognized. */
export const hashConfiguration = (printed: Uint8Array): string => createHash('sha256').update(printed).digest('hex')
