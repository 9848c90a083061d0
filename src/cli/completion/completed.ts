// The commands as a shell completes them: what stands where, and which words it can propose there.
import { COMMANDS, type Place } from '../declarations/command-table.ts'
import { loneWordsOf, wordsOfChoice } from '../options/choice.ts'
import type { OptionHelp, OptionSpec } from '../options/option-spec.ts'

/** What is proposed for a value: a word, words with commas between them, names of files or folders, or nothing. */
export type Proposals =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** `alone`: of the words, those that stand beside no other. */
  | { readonly kind: 'list'; readonly words: readonly string[]; readonly alone: readonly string[] }
  | { readonly kind: 'files' | 'folders' | 'sets' | 'nothing' }

export interface CompletedOption {
  /** With its dashes. */
  readonly name: string
  readonly describe: string
  readonly isRepeated: boolean
  /** What the value is called; undefined for a flag. */
  readonly value: { readonly name: string; readonly proposals: Proposals } | undefined
}

export interface CompletedCommand {
  readonly name: string
  readonly describe: string
  readonly place: (Place & { readonly proposals: Proposals }) | undefined
  readonly options: readonly CompletedOption[]
}

/** In the order of help; options that help does not show are not proposed. */
export async function completedCommands(): Promise<CompletedCommand[]> {
  return Promise.all(
    COMMANDS.map(async ({ name, describe, place, declare }) => {
      const { options, unshown = [] } = await declare()
      return {
        name,
        describe,
        place: place === undefined ? undefined : { ...place, proposals: proposalsOf(place) },
        options: options
          .filter(([option]) => !unshown.includes(option))
          .map(([option, help]) => completed(option, help)),
      }
    }),
  )
}

function completed(name: string, help: OptionHelp | OptionSpec): CompletedOption {
  const { kind, describe, placeholder = 'VALUE' } = help
  return {
    name: `--${name}`,
    describe,
    isRepeated: kind === 'list',
    value: kind === 'flag' ? undefined : { name: placeholder, proposals: valuesOf(help, placeholder) },
  }
}

function valuesOf(help: OptionHelp | OptionSpec, placeholder: string): Proposals {
  const words = 'value' in help ? wordsOfChoice(help.value) : undefined
  if (words !== undefined && 'value' in help)
    return help.kind === 'list'
      ? { kind: 'list', words, alone: loneWordsOf(help.value) }
      : { kind: 'words', words }
  if (placeholder === 'FILE') return { kind: 'files' }
  return { kind: placeholder === 'DIR' || placeholder === 'RUN' ? 'folders' : 'nothing' }
}

function proposalsOf({ holds }: Place): Proposals {
  switch (holds) {
    case 'question sets':
      return { kind: 'sets' }
    case 'run folders':
      return { kind: 'folders' }
    case 'a shell':
      return { kind: 'words', words: ['bash', 'zsh'] }
  }
}
