import * as z from 'zod/mini'

export interface FieldWords {
  label: string
  hint?: string
}

const words = z.registry<FieldWords>()

export function field<Schema extends z.ZodMiniType>(schema: Schema, own: FieldWords): Schema {
  const named = z.clone(schema)
  words.add(named, own)
  return named
}

export interface FieldRules extends FieldWords {
  longest: number | undefined
  required: boolean
}

/**
 * @param path such as `title` or `documents.0.title`
 * @throws Error for a path without a field, or a field without words
 */
export function fieldRules(schema: z.ZodMiniType, path: string): FieldRules {
  const found = path.split('.').reduce<Inner | undefined>((at, name) => at && child(at, name), schema as unknown as Inner)
  const own = found && findWords(found)
  if (!found || !own) throw new Error(`The schema has no words for the field ${path}.`)
  const takes = (value: unknown) => (found as unknown as z.ZodMiniType).safeParse(value).success
  return { ...own, longest: longest(found), required: !takes('') && !takes(null) && !takes(undefined) }
}

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

/** A schema made from another, such as an optional one, has the words of that. */
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

/** "must not be empty" becomes "Title must not be empty."; a sentence stays. */
export const fieldSentence = (label: string, message: string): string => (/^\p{Lu}|\.$/u.test(message) ? message : `${label} ${message}.`)
