// Completion in the shells themselves: what they propose after a Tab, and that it is all that the commands declare.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { completedCommands } from '../../src/cli/completion/completed.ts'
import { COMMANDS } from '../../src/cli/declarations/command-table.ts'
import { runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
mkdirSync(join(folder, 'reports/nightly'), { recursive: true })
writeFileSync(join(folder, 'my questions.csv'), 'message\nHow?\n')
writeFileSync(join(folder, 'notes.txt'), '')
const scripts = { bash: join(folder, 'completion.bash'), zsh: join(folder, 'completion.zsh') }

beforeAll(async () => {
  for (const shell of ['bash', 'zsh'] as const) {
    const { code, stdout, stderr } = await runProgram(['completion', shell], { cwd: folder })
    expect([code, stderr]).toEqual([0, ''])
    writeFileSync(scripts[shell], stdout)
  }
})

/** What bash proposes for the last of the words. */
function bashProposes(...words: readonly string[]): string[] {
  const script = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _assist_harness; ((\${#COMPREPLY[@]} == 0)) || printf '%s\\0' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync(
    'bash',
    ['--norc', '-c', script, 'bash', scripts.bash, 'assist-harness', ...words],
    { cwd: folder, encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  return stdout.split('\0').slice(0, -1)
}

const commands = await completedCommands()

describe('bash proposes', () => {
  test('every command', () => {
    expect(bashProposes('')).toEqual([...COMMANDS.map(({ name }) => name), '--help', '--version'])
  })

  test.each(commands)('every option of $name', ({ name, options }) => {
    expect(bashProposes(name, '-').sort()).toEqual([...options.map((one) => one.name), '--help'].sort())
  })

  const withWords = commands.flatMap(({ name, options }) =>
    options.flatMap(({ name: option, value }) => {
      const proposals = value?.proposals
      return proposals?.kind === 'words' || proposals?.kind === 'list'
        ? [[name, option, proposals.words, proposals.kind === 'list' ? proposals.alone : undefined] as const]
        : []
    }),
  )
  const withLists = withWords.flatMap(([command, option, all, alone]) =>
    alone === undefined
      ? []
      : [[command, option, all.filter((word) => !alone.includes(word)), alone] as const],
  )

  test.each(withWords)('behind %s %s its words', (command, option, words) => {
    expect(bashProposes(command, option, '')).toEqual([...words])
    expect(bashProposes(command, option, '=', '')).toEqual([...words])
  })

  test('words behind commas where an option takes several, but none that stands before them, which is kept', () => {
    expect(withLists.map(([command, option]) => `${command} ${option}`)).toContain('run --fail-on')
    for (const [command, option, words] of withLists) {
      const [first = '', second = '', ...others] = words
      expect(bashProposes(command, option, `${first},`)).toEqual(
        [second, ...others].map((word) => `${first},${word}`),
      )
      expect(bashProposes(command, option, '=', `${second},${first},`)).toEqual(
        others.map((word) => `${second},${first},${word}`),
      )
      expect(bashProposes(command, option, `${words.join(',')},`)).toEqual([])
      // A word that only begins as another does is another.
      expect(bashProposes(command, option, `${first}s,${first}`)).toEqual([`${first}s,${first}`])
      expect(bashProposes(command, option, '=', `x,${first},${second}`)).toEqual([`x,${first},${second}`])
      expect(bashProposes(command, option, `two words,${second}`)).toEqual([`two words,${second}`])
      expect(bashProposes(command, option, `${first},nowhere`)).toEqual([])
    }
  })

  test('a word that stands alone before all others, and beside none', () => {
    expect(withLists.flatMap(([, , , alone]) => alone)).toContain('none')
    for (const [command, option, words, alone] of withLists) {
      expect(bashProposes(command, option, '')).toEqual([...words, ...alone])
      for (const word of alone) expect(bashProposes(command, option, `${word},`)).toEqual([])
    }
  })

  test('behind an open quote and a comma what stands there neither', () => {
    for (const [command, option, words] of withLists) {
      const [first = '', ...others] = words
      for (const quote of ['"', "'"]) {
        const open = `${quote}${first},`
        expect(bashProposes(command, option, open)).toEqual(others.map((word) => open + word))
        expect(bashProposes(command, option, '=', open)).toEqual(others.map((word) => open + word))
      }
    }
  })

  test('question sets and folders where a set stands, and nothing else', () => {
    expect(bashProposes('run', '--sandbox', '').sort()).toEqual(['my questions.csv', 'reports'])
  })

  test('file names as they are: not as patterns of others, and in capitals, too', () => {
    const odd = join(folder, 'odd')
    mkdirSync(odd)
    for (const name of ['q1.csv', 'q[1].csv', 'a*.CSV', 'q.txt']) writeFileSync(join(odd, name), '')
    expect(bashProposes('run', 'odd/').sort()).toEqual(['odd/a*.CSV', 'odd/q1.csv', 'odd/q[1].csv'])
    expect(bashProposes('run', '--config', 'odd/q[').sort()).toEqual(['odd/q[1].csv'])
  })

  test('folders where a run stands, and behind an option that names one', () => {
    expect(bashProposes('compare', 'reports/')).toEqual(['reports/nightly'])
    expect(bashProposes('run', '--baseline', 'reports/n')).toEqual(['reports/nightly'])
  })

  test('files behind an option that names one', () => {
    expect(bashProposes('run', '--config', 'no')).toEqual(['notes.txt'])
  })

  test('nothing where nobody can know, and for a command that does not exist', () => {
    expect(bashProposes('run', '--rate', '')).toEqual([])
    expect(bashProposes('rnu', '-')).toEqual([])
  })
})

// bash and a POSIX system are everywhere that this is worked on; zsh is not. CI installs it.
const hasZsh = spawnSync('zsh', ['--version']).status === 0
describe.skipIf(!hasZsh && process.env['CI'] === undefined)('zsh completes', () => {
  /** Types the line with its Tab into a real zsh, whose `assist-harness` says what words it was given; its terminal echoes what is typed, now and then late. */
  function zshCompletes(line: string): string {
    const script = `
      zmodload zsh/zpty
      export TERM=dumb
      zpty shell zsh -f -i
      zpty -w shell "autoload -Uz compinit; compinit -D -u; source $1; unsetopt zle_bracketed_paste 2>/dev/null"
      zpty -w shell 'assist-harness() { print -r -- "GO""T<$*>" }; print REA''DY'
      zpty -r shell seen '*READY*'
      zpty -w -n shell "$2"$'\\t\\n'
      zpty -r shell seen '*GOT<*>*'
      print -r -- "$seen"
      zpty -d shell`
    const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', script, 'zsh', scripts.zsh, line], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 60_000,
    })
    const [, words] = /GOT<([^>]*)>/.exec(stdout) ?? []
    expect(words, `${stdout}\n${stderr}`).toBeDefined()
    return (words ?? '').trim()
  }

  test.each([
    ['assist-harness sandb', 'sandbox'],
    ['assist-harness run --start-', 'run --start-rate'],
    ['assist-harness run --on-ambiguous re', 'run --on-ambiguous restart'],
    ['assist-harness run --limiter=re', 'run --limiter=redis'],
    ['assist-harness run --fail-on gr', 'run --fail-on grounding'],
    ['assist-harness run --fail-on must-pass,gr', 'run --fail-on must-pass,grounding'],
    [
      'assist-harness compare --fail-on=must-pass,verdicts,av',
      'compare --fail-on=must-pass,verdicts,availability',
    ],
    // None that stands there already.
    ['assist-harness run --fail-on grounding,gr', 'run --fail-on grounding,gr'],
    ['assist-harness run --fail-on=must-pass,grounding,m', 'run --fail-on=must-pass,grounding,m'],
    // None that stands alone beside others, nor others beside it.
    ['assist-harness run --fail-on no', 'run --fail-on none'],
    ['assist-harness run --fail-on must-pass,no', 'run --fail-on must-pass,no'],
    ['assist-harness run --fail-on=none,gr', 'run --fail-on=none,gr'],
    ['assist-harness run my', 'run my questions.csv'],
    // zsh takes the slash that it added away again when the line ends.
    ['assist-harness report rep', 'report reports'],
  ])('%s', (line, words) => {
    expect(zshCompletes(line)).toBe(words)
  })

  test('and takes the whole script', () => {
    const { status, stderr } = spawnSync('zsh', ['-n', scripts.zsh], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })
})

test('there is no completion for another shell', async () => {
  const { code, stderr } = await runProgram(['completion', 'fish'], { cwd: folder })
  expect([code, stderr.trim()]).toEqual([2, 'there is no completion for fish; name bash or zsh'])
})
