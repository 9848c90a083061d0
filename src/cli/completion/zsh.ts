// Completion for zsh: with descriptions, as a file in $fpath or read by `source`.
import type { CompletedCommand, CompletedOption, Proposals } from './completed.ts'

export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `#compdef assist-harness
# Completion of assist-harness for zsh, made by \`assist-harness completion zsh\`.
_assist_harness() {
  local context state state_descr line curcontext="$curcontext"
  typeset -A opt_args
  _arguments -C \\
    '(- *)'{-h,--help}'[Show help]' \\
    '(- *)--version[Show version number]' \\
    '1:command:->command' \\
    '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
${commands.map(({ name, describe }) => `        ${quote(`${name}:${describe.replaceAll(':', String.raw`\:`)}`)}`).join('\n')}
      )
      _describe -t commands command commands ;;
    argument)
      case $line[1] in
${commands.map(argumentsOf).join('\n')}
      esac ;;
  esac
}
if [[ $funcstack[1] == _assist-harness ]]; then _assist_harness "$@"; else compdef _assist_harness assist-harness; fi`
}

function argumentsOf({ name, place, options }: CompletedCommand): string {
  const specs = [
    quote('(- *)--help[Show help]'),
    ...options.map((option) => quote(specOf(option))),
    ...(place === undefined
      ? []
      : [quote(`${place.many ? '*' : '1'}:${escape(place.describe)}:${actionOf(place.proposals)}`)]),
  ]
  return `        ${name})\n          _arguments \\\n            ${specs.join(' \\\n            ')} ;;`
}

function specOf({ name, describe, isRepeated, value }: CompletedOption): string {
  // The sign of equality: the value stands behind it, or in the next word.
  const what = `${isRepeated ? '*' : ''}${name}${value === undefined ? '' : '='}[${escape(describe)}]`
  return value === undefined ? what : `${what}:${escape(value.name)}:${actionOf(value.proposals)}`
}

function actionOf(proposals: Proposals): string {
  switch (proposals.kind) {
    case 'words':
      return `(${proposals.words.join(' ')})`
    case 'list':
      return `_values -s , value ${valuesOf(proposals)}`
    case 'files':
      return '_files'
    case 'folders':
      return '_files -/'
    case 'sets':
      return '_files -g "*.[cC][sS][vV]"'
    case 'nothing':
      return ' '
  }
}

/** Each word with those that it pushes out. */
function valuesOf({ words, alone }: Proposals & { readonly kind: 'list' }): string {
  const pushedBy = (word: string): readonly string[] =>
    alone.includes(word) ? words.filter((other) => other !== word) : alone
  return words.map((word) => `"(${pushedBy(word).join(' ')})${word}"`).join(' ')
}

/** Within a spec of _arguments. */
const escape = (text: string): string => text.replaceAll(/[\\[\]:]/g, String.raw`\$&`)

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
