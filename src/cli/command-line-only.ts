// What is given on the command line alone: who writes it into the config file is told so, and how it is given.
import { COMMANDS } from './declarations/command-table.ts'
import { optionEntries, toCamelCase } from './options/run-options.ts'

const SETS = ['dataset', 'datasets']
const RUNS = ['run', 'runs']
const ELSEWHERE = 'is unknown here: it is given on the command line'

/** In the file they have another name than on the command line, which is proposed. */
const inFile = new Set<string>(
  optionEntries.filter(([, { config }]) => config !== undefined).map(([name]) => name),
)

/** What to say of a key that no config file has; undefined where the command line has no such option either. */
export async function describeCommandLineOnly(key: string): Promise<string | undefined> {
  if (SETS.includes(key))
    return `${ELSEWHERE}: a question set stands behind the command, as in assist-harness run questions.csv`
  if (RUNS.includes(key))
    return `${ELSEWHERE}: the folder of a run stands behind the command, as in assist-harness report reports/nightly`
  for (const { name, declare } of COMMANDS) {
    const { options } = await declare()
    const [, help] =
      options.find(([option]) => !inFile.has(option) && [option, toCamelCase(option)].includes(key)) ?? []
    if (help !== undefined) return `${ELSEWHERE} of ${name}, as in ${help.example}`
  }
  return undefined
}
