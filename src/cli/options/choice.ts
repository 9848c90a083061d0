// The words of options that take one of a few: for what refuses the others, and for what proposes them.
import type * as z from 'zod'
import { anyCase, formedValue } from './form.ts'

interface Choice {
  readonly words: readonly string[]
  /** Of them, those that stand beside no other. */
  readonly alone: readonly string[]
}

const choices = new WeakMap<z.ZodType, Choice>()

/** One of these words, whatever their case. */
export function choiceValue<const W extends string>(choice: readonly [W, ...W[]]) {
  const value = formedValue({ text: anyCase(choice.join('|')) }, `must be ${choice.join(' or ')}`, (text) =>
    choice.find((one) => one === text.toLowerCase()),
  )
  return proposing(value, choice)
}

/** The same value, which proposes these words. `alone`: of a list, those of them that stand beside no other. */
export function proposing<V extends z.ZodType>(
  value: V,
  words: readonly string[],
  alone: readonly string[] = [],
): V {
  choices.set(value, { words, alone })
  return value
}

/** Undefined where a value is no choice. */
export const wordsOfChoice = (value: z.ZodType): readonly string[] | undefined => choices.get(value)?.words

export const loneWordsOf = (value: z.ZodType): readonly string[] => choices.get(value)?.alone ?? []
