// Transcripts of rejected input: blocks of a typed line and the lines printed for it, separated by an empty line.
//
//   $ run set.csv --rate fast        a command; single quotes keep white space, NAME=value before it sets the environment
//   set "id,message\n"               `validate` of that question set, called set.csv here
//   config run "rate: fast"          `run` of set.csv with that config file, called k.yaml here
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram, splitWords } from './program.ts'
import { runResident } from './resident.ts'

export interface Rejection {
  readonly typed: string
  readonly said: string
}

export const readTranscript = (path: string): Rejection[] =>
  readFileSync(path, 'utf8')
    .split(/\n{2,}(?=\$|set|config|#)/)
    .filter((block) => !block.startsWith('#'))
    .map((block) => {
      const [typed = '', ...said] = block.trimEnd().split('\n')
      return { typed, said: said.join('\n') }
    })

/** Options that a command needs besides its set. */
const MORE: Readonly<Record<string, string>> = { load: ' --users 1 --duration 1s' }

let files = 0

/** Runs the line in the folder and returns stderr. Throws if the exit code is not 2 or if stdout has text. */
export async function reject(
  typed: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const [, kind = '', command = '', text = ''] =
    /^(\$|set|config)(?: (run|load|estimate)(?= "))? (.*)$/.exec(typed) ?? []
  const name = `${(files += 1)}.${kind === 'set' ? 'csv' : 'yaml'}`
  let line = text
  if (kind !== '$') writeFileSync(join(cwd, name), JSON.parse(text) as string)
  if (kind === 'set') line = `validate ${name}`
  if (kind === 'config') line = `${command} set.csv --config ${name}${MORE[command] ?? ''}`
  const words = splitWords(line)
  const given = words.filter((word) => /^[A-Z_]+=/.test(word))
  const own = { ...env, ...Object.fromEntries(given.map((one) => one.split('=') as [string, string])) }
  // The program itself for every twelfth line, and where the line sets the environment: a reused process remembers keys.
  const judge = given.length > 0 || files % 12 === 0 ? runProgram : runResident
  const { code, stdout, stderr } = await judge(words.slice(given.length), { cwd, env: own })
  if (code !== 2 || stdout !== '') throw new Error(`it ended with ${code}:\n${stdout}${stderr}`)
  return stderr
    .trimEnd()
    .replaceAll(name, kind === 'set' ? 'set.csv' : 'k.yaml')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '{url}')
}
