// Who asks in the throughput bench: autocannon, and the built program's own commands, each a process of its own.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../../support/program.ts'
import { compile } from './processes.ts'

export const CONNECTIONS = 50
/** More than is measured: each is ended when it has been. */
const LONGEST_S = 60
/** More than a fast generator asks in that time it is measured. */
const THREADS = 4000
const REPEATS = 100

export interface Contender {
  readonly name: string
  readonly words: (url: string, out: string) => string[]
  /** Whether it leaves a journal of what it asked. */
  readonly isJournaled: boolean
}

/** `folder`: where what they need is written. */
export function createContenders(folder: string): Contender[] {
  const set = join(folder, 'set.csv')
  writeFileSync(set, `message\n${Array.from({ length: THREADS }, (_, i) => `Question ${i}?`).join('\n')}\n`)
  const peer = compile('peer.ts')
  return [
    {
      name: 'autocannon',
      isJournaled: false,
      words: (url) => [peer, url, String(CONNECTIONS), String(LONGEST_S)],
    },
    {
      name: 'run --rate unlimited',
      isJournaled: true,
      words: (url, out) =>
        [
          [main, 'run', set, '--base-url', url, '--out', out, '--repeat', String(REPEATS)],
          ['--rate', 'unlimited', '--concurrency', String(CONNECTIONS), '--rotating-ids'],
        ].flat(),
    },
    {
      name: 'load',
      isJournaled: true,
      words: (url, out) =>
        [
          [main, 'load', set, '--base-url', url, '--out', out, '--rotating-ids'],
          ['--users', String(CONNECTIONS), '--duration', `${LONGEST_S}s`],
        ].flat(),
    },
  ]
}

export const temporaryBench = (): string => mkdtempSync(join(tmpdir(), 'assist-harness-bench-'))
