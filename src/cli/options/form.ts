// The form in which a value is written: what the program checks of a text first, and what the schema of the config file says.
import * as z from 'zod'

export interface Form {
  /** A regular expression for all of the text but the blanks around it. What it cannot say, `read` refuses. */
  readonly text: string
  /** JSON Schema of the bare numbers of YAML that mean the same as their text; absent where none does, as of `30`, which has no unit. */
  readonly number?: Readonly<Record<string, unknown>>
}

const forms = new WeakMap<z.ZodType, Form>()

/** The same value, which is known to be written so; of a list each item is. */
export function writtenAs<V extends z.ZodType>(value: V, form: Form): V {
  forms.set(value, form)
  return value
}

/** Undefined where any text will do. */
export const formOf = (value: z.ZodType): Form | undefined => forms.get(value)

/** `read` gets a text of the form, without the blanks around it, and returns undefined for what means nothing; `words` say the mend. */
export function formedValue<T extends {}>(
  form: Form,
  words: string,
  read: (text: string) => T | undefined,
): z.ZodPipe<z.ZodString, z.ZodTransform<T, string>> {
  const whole = new RegExp(`^(?:${form.text})$`, 'u')
  const value = z.string().transform((text, context): T => {
    const trimmed = text.trim()
    const meaning = whole.test(trimmed) ? read(trimmed) : undefined
    if (meaning !== undefined) return meaning
    context.addIssue(words)
    return z.NEVER
  })
  return writtenAs(value, form)
}

/** A pattern of small letters, for letters of either case: schemas have no flags. */
export const anyCase = (pattern: string): string =>
  pattern.replaceAll(/(?<!\\)[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
