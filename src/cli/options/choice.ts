// The words of options that take one of a few: for what refuses the others, and for what proposes them.
import * as z from 'zod'

const words = new WeakMap<z.ZodType, readonly string[]>()

/** One of these words, whatever their case. */
export function choiceValue<const W extends string>(choice: readonly [W, ...W[]]) {
  const value = z.string().transform((text, context): W => {
    const word = choice.find((one) => one === text.trim().toLowerCase())
    if (word !== undefined) return word
    context.addIssue(`must be ${choice.join(' or ')}`)
    return z.NEVER
  })
  return proposing(value, choice)
}

/** The same value, which proposes these words. */
export function proposing<V extends z.ZodType>(value: V, choice: readonly string[]): V {
  words.set(value, choice)
  return value
}

/** Undefined where a value is no choice. */
export const wordsOfChoice = (value: z.ZodType): readonly string[] | undefined => words.get(value)
