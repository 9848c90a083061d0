// Completion for bash, from 3.2 on (as macOS has it), without the package bash-completion.
import type { CompletedCommand, Proposals } from './completed.ts'

export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ')
  return `# Completion of assist-harness for bash, made by \`assist-harness completion bash\`.
# Of the words in $2, one a line, those that do not stand in what is typed before the last comma; those in $3 stand alone.
_assist_harness_left() {
  local word typed=,\${1//[\\"\\'\\\\]/}
  for word in $3; do [[ $typed == *,"$word",* ]] && return; done
  for word in $2; do [[ $typed == *,"$word",* ]] || printf '%s\\n' "$word"; done
  [[ -n $1 ]] || printf '%s\\n' "$3"
}
# Lines as they are: words of a command's output would be taken for patterns of file names.
_assist_harness_take() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done
}
_assist_harness() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command= options= i
  COMPREPLY=()
  # bash takes --option=value for three words.
  if [[ $cur == '=' ]]; then cur=
  elif [[ $prev == '=' ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} != -* ]]; then command=\${COMP_WORDS[i]}; break; fi
  done
  # Of values with commas between them the last is completed, behind the others.
  local last=\${cur##*,}
  local before=\${cur%"$last"}
  local IFS=$'\\n'
  case "$command $prev" in
${commands.flatMap(casesOf).join('\n')}
  esac
  case "$command" in
    '') options=${quote(`${names} --help --version`)} ;;
${commands.map(({ name, options }) => `    ${name}) options=${quote([...options.map((one) => one.name), '--help'].join(' '))} ;;`).join('\n')}
    *) return ;;
  esac
  if [[ -z $command || $cur == -* ]]; then
    IFS=${BLANKS}
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
    return
  fi
  case "$command" in
${commands.flatMap(({ name, place }) => (place === undefined ? [] : [`    ${name}) ${propose(place.proposals)} ;;`])).join('\n')}
  esac
}
complete -F _assist_harness assist-harness`
}

/** Behind an option that takes a value nothing but its values is proposed. */
function casesOf({ name, options }: CompletedCommand): string[] {
  const byAction = new Map<string, string[]>()
  for (const { name: option, value } of options) {
    if (value === undefined) continue
    const action = propose(value.proposals)
    byAction.set(action, [...(byAction.get(action) ?? []), `"${name} ${option}"`])
  }
  return [...byAction].map(([action, words]) => `    ${words.join(' | ')})\n      ${action}\n      return ;;`)
}

function propose(proposals: Proposals): string {
  switch (proposals.kind) {
    case 'words':
      return `IFS=${BLANKS}; COMPREPLY=($(compgen -W ${quote(proposals.words.join(' '))} -- "$cur"))`
    case 'list': {
      const others = proposals.words.filter((word) => !proposals.alone.includes(word))
      const left = `_assist_harness_left "$before" ${quote(others.join('\n'))} ${quote(proposals.alone.join('\n'))}`
      return `COMPREPLY=($(compgen -P "$before" -W "$(${left})" -- "$last"))`
    }
    case 'files':
      return `_assist_harness_take < <(compgen -f -- "$cur"); ${AS_FILES}`
    case 'folders':
      return `_assist_harness_take < <(compgen -d -- "$cur"); ${AS_FILES}`
    case 'sets':
      return `_assist_harness_take < <(compgen -f -X '!*.[cC][sS][vV]' -- "$cur"; compgen -d -- "$cur"); ${AS_FILES}`
    case 'nothing':
      return ':'
  }
}

/** Between the words of ours, and between those that compgen finds, which are lines. */
const BLANKS = String.raw`$' \n'`

/** A slash behind a folder, and signs of the shell escaped; bash 3.2 has no compopt. */
const AS_FILES = 'compopt -o filenames 2>/dev/null'

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
