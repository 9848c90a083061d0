// Other load tools of the npm registry, where they can be installed: into a folder of the bench's, never into the project.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { CONNECTIONS, type Contender } from './contenders.ts'

const LOADTEST = 'loadtest@8.2.1'

/** Empty where nobody asks for them, or the registry is out of reach: then it says so. */
export function otherTools(folder: string): Contender[] {
  if (process.env['ASSIST_BENCH_PEERS'] !== 'install') return []
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, LOADTEST]
  if (spawnSync('npm', words, { stdio: 'ignore' }).status !== 0) {
    console.log(`${LOADTEST} could not be installed: it is left out`)
    return []
  }
  const body = JSON.stringify({ message: 'Question 1234?', endUserRef: 'bench-1234-1-1' })
  return [
    {
      name: LOADTEST,
      isJournaled: false,
      words: (url) =>
        [
          [join(folder, 'node_modules/loadtest/bin/loadtest.js'), '--quiet', '-k', '--cores', '1'],
          ['-c', String(CONNECTIONS), '-t', '60', '-m', 'POST', '-T', 'application/json'],
          ['-H', 'authorization:Bearer bench-key-0123456789', '--data', body, `${url}/api/v1/assist`],
        ].flat(),
    },
  ]
}
