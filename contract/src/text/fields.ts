import * as z from 'zod/mini'

/** How a form names a field of a body, and what it says below it. */
export interface FieldWords {
  label: string
  hint?: string
}

const words = z.registry<FieldWords>()

/** A schema with the words that forms use for it. */
export function field<Schema extends z.ZodMiniType>(schema: Schema, own: FieldWords): Schema {
  const named = z.clone(schema)
  words.add(named, own)
  return named
}

export interface FieldRules extends FieldWords {
  /** Most characters; undefined where the schema has no limit, or is no text. */
  longest: number | undefined
  /** Whether an empty field is refused. */
  required: boolean
}

/**
 * What a form needs to know of the field at `path`, e.g. `title` or `documents.0.title`.
 * @throws Error where the schema has no such field, or no words for it: a mistake of the form
 */
export function fieldRules(schema: z.ZodMiniType, path: string): FieldRules {
  const found = path.split('.').reduce<Inner | undefined>((at, name) => at && child(at, name), schema as unknown as Inner)
  const own = found && findWords(found)
  if (!found || !own) throw new Error(`The schema has no words for the field ${path}.`)
  const takes = (value: unknown) => (found as unknown as z.ZodMiniType).safeParse(value).success
  return { ...own, longest: longest(found), required: !takes('') && !takes(null) && !takes(undefined) }
}

/** The parts of a schema that are read here; the library's own types hide them. */
interface Inner {
  _zod: {
    def: {
      type: string
      shape?: Record<string, Inner>
      element?: Inner
      innerType?: Inner
      out?: Inner
      checks?: { _zod: { def: { check: string; maximum?: number } } }[]
    }
  }
}

const child = (schema: Inner, name: string): Inner | undefined => {
  const { shape, element, innerType, out } = schema._zod.def
  const inner = innerType ?? out
  return shape?.[name] ?? element ?? (inner && child(inner, name))
}

/** A schema made of another, such as an optional one, has its words. */
function findWords(schema: Inner): FieldWords | undefined {
  const { innerType, out } = schema._zod.def
  const inner = innerType ?? out
  return words.get(schema as unknown as z.ZodMiniType) ?? (inner && findWords(inner))
}

function longest(schema: Inner): number | undefined {
  const { type, checks = [], innerType, out } = schema._zod.def
  const inner = innerType ?? out
  if (type === 'array') return undefined
  return checks.find(({ _zod: { def } }) => def.check === 'max_length')?._zod.def.maximum ?? (inner && longest(inner))
}

/** A schema's message as a sentence about its field: "must not be empty" of the title is "Title must not be empty." A sentence stays as it is. */
export const fieldSentence = (label: string, message: string): string => (/^\p{Lu}|\.$/u.test(message) ? message : `${label} ${message}.`)
