// The words of options that take one of a few: for what refuses the others, and for the JSON Schema that names them.
import type * as z from 'zod'
import { anyCase, formedValue } from './form.ts'

const choices = new WeakMap<z.ZodType, readonly string[]>()

/** One of these words, whatever their case. */
export function choiceValue<const W extends string>(choice: readonly [W, ...W[]]) {
  const value = formedValue({ text: anyCase(choice.join('|')) }, `must be ${choice.join(' or ')}`, (text) =>
    choice.find((one) => one === text.toLowerCase()),
  )
  return proposing(value, choice)
}

/** The same value, which proposes these words. */
export function proposing<V extends z.ZodType>(value: V, words: readonly string[]): V {
  choices.set(value, words)
  return value
}

/** Undefined where a value is no choice. */
export const wordsOfChoice = (value: z.ZodType): readonly string[] | undefined => choices.get(value)
