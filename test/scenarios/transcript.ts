// Transcripts of rejected input: blocks of a typed line and all that is printed for it, separated by an empty line.
//
//   $ run set.csv --rate fast        a command; single quotes keep white space, NAME=value before it sets the environment
//   set "id,message\n"               `validate` of that question set, called set.csv here
//   config run "rate: fast"          `run` of set.csv with that config file, called k.yaml here
//   ledger "at\nnoon\n"              `report` of a run with that usage export, called ledger here
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram, splitWords } from '../support/program.ts'
import { runResident } from '../support/resident.ts'

export const readTranscript = (path: string) =>
  readFileSync(path, 'utf8')
    .split(/\n{2,}(?=\$|set|config|ledger|#)/)
    .filter((block) => !block.startsWith('#'))
    .map((block) => {
      const [typed = '', ...said] = block.trimEnd().split('\n')
      return { typed, said: said.join('\n') }
    })

/** What is typed for a file. Each has a name of its own, since rows run side by side. */
const LINES: Readonly<Record<string, (name: string, command: string) => string>> = {
  set: (name) => `validate ${name}`,
  config: (name, command) =>
    `${command} set.csv --config ${name}${command === 'load' ? ' --users 1 --duration 1s' : ''}`,
  ledger: (name) => `report done --ledger ${name}`,
}
const SHOWN: Readonly<Record<string, string>> = { set: 'set.csv', config: 'k.yaml', ledger: 'ledger' }

let files = 0

/** Runs the line in the folder and returns stderr. Throws if the exit code is not 2 or if stdout has text. */
export async function reject(
  typed: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const [, kind = '', command = '', text = ''] =
    /^(\$|set|config|ledger)(?: (run|load|estimate)(?= "))? (.*)$/.exec(typed) ?? []
  const name = `${(files += 1)}.${kind === 'config' ? 'yaml' : 'csv'}`
  if (kind !== '$') writeFileSync(join(cwd, name), JSON.parse(text) as string)
  const words = splitWords(LINES[kind]?.(name, command) ?? text)
  const given = words.filter((word) => /^[A-Z_]+=/.test(word))
  const own = { ...env, ...Object.fromEntries(given.map((one) => one.split('=') as [string, string])) }
  // The program itself for a few lines: a process that is reused must say the same.
  const judge = files % 50 === 0 ? runProgram : runResident
  const { code, stdout, stderr } = await judge(words.slice(given.length), { cwd, env: own })
  if (code !== 2 || stdout !== '') throw new Error(`it ended with ${code}:\n${stdout}${stderr}`)
  return stderr
    .trimEnd()
    .replaceAll(name, SHOWN[kind] ?? name)
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '{url}')
}
