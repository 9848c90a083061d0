// A set that is larger than what is held in memory: asked, gone on with and reported as any other.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startEndpoint } from '../support/endpoint.ts'
import { readResults, readSummary, runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** More than the reading of a set holds, and than the index of a run does. */
const TURNS = 10_400
const BEFORE = 10_200

const threadOf = (place: number): string => (place % 13 < 4 ? `thread ${Math.floor(place / 13) % 700}` : '')
const messageOf = (place: number): string => `Question ${place} of the set?`

test(
  'of ten thousand turns each is asked once, in its conversation, and reported in its place',
  { timeout: 300_000 },
  async () => {
    const folder = temporaryFolder()
    const endpoint = await startEndpoint()
    try {
      const rows = Array.from(
        { length: TURNS },
        (_, place) => `${threadOf(place)},${messageOf(place)},t${place % 3}`,
      )
      writeFileSync(join(folder, 'set.csv'), `thread,message,tags\n${rows.join('\n')}\n`)
      const env = { ASSIST_API_KEY: 'test-key-0123456789' }
      const words = ['--base-url', endpoint.url, '--rate', 'unlimited', '--max-calls', String(BEFORE)]
      const first = await runProgram(['run', 'set.csv', ...words, '--out', 'run'], { cwd: folder, env })
      expect(first.code, first.screen).toBe(4)
      const again = [
        'run',
        '--resume',
        'run',
        '--max-calls',
        String(TURNS),
        '--grounded-sources',
        'KNOWLEDGE_BASE',
      ]
      const second = await runProgram(again, { cwd: folder, env })
      expect(second.code, second.screen).toBe(0)
      expect(second.screen).toContain(`Resuming ${TURNS - BEFORE} questions`)

      const results = readResults(join(folder, 'run'))
      expect(results.map(({ message }) => message)).toEqual(rows.map((_, place) => messageOf(place)))
      expect(results.every(({ message, answer }) => answer === `answer to: ${message}`)).toBe(true)
      expect(new Set(results.map(({ id }) => id)).size).toBe(TURNS)
      expect(results.every(({ attempts, outcome }) => attempts === '1' && outcome === 'answered')).toBe(true)
      const conversations = new Map<string, Set<string>>()
      for (const { thread = '', conversation_id: id = '' } of results)
        conversations.set(thread, new Set([...(conversations.get(thread) ?? []), id]))
      expect([...conversations.values()].every(({ size }) => size === 1)).toBe(true)
      const { turns, coverage } = readSummary(join(folder, 'run'))
      expect([turns.total, turns.answered, turns.contextLost, coverage.questions]).toEqual([
        TURNS,
        TURNS,
        0,
        TURNS,
      ])

      // Nothing of it depends on what was in memory while it was asked.
      const read = (): string[] =>
        ['results.csv', 'summary.json', 'junit.xml', 'report.html'].map((name) =>
          readFileSync(join(folder, 'run', name), 'utf8'),
        )
      const written = read()
      rmSync(join(folder, 'set.csv'))
      expect((await runProgram(['report', 'run'], { cwd: folder, env })).code).toBe(0)
      expect(read()).toEqual(written)
    } finally {
      await endpoint.close()
    }
  },
)
