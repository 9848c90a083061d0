// Runs a table of broken question sets: reading, surveying and the built program say the same of each, word for word.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatFault } from '../../src/dataset/remarks.ts'
import { surveyQuestionSets } from '../../src/dataset/survey.ts'
import { visible } from '../../src/report/visible.ts'
import { startEndpoint } from '../support/endpoint.ts'
import { runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { readFaults, writeSet } from './reading-files.ts'

export interface BrokenSet {
  readonly name: string
  readonly content: string | Buffer
  /** All that is said, in its order. */
  readonly faults: readonly string[]
}

export const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))

export const utf16 = (text: string): Buffer => bytes([0xff, 0xfe], [...Buffer.from(text, 'utf16le')])

export function testBrokenSets(title: string, sets: readonly BrokenSet[]): void {
  const folder = temporaryFolder()
  describe(`broken ${title}`, () => {
    test.each(sets)('$name', async ({ content, faults }) => {
      const path = writeSet(folder, content)
      expect(await readFaults(folder, path)).toEqual(faults)
      const survey = await surveyQuestionSets([path])
      expect(survey.kind === 'faulty' && survey.faults.map(formatFault)).toEqual(
        faults.map((fault) => `${folder}/${fault}`),
      )
    })

    // One process for all: what each of them alone is refused for stands above, and starting a process takes its time.
    test('are refused by the program with code 2, and nothing is sent', async () => {
      const endpoint = await startEndpoint()
      for (const refused of [sets, sets.slice(0, 1)]) {
        const names = refused.map(({ content }, place) => {
          const name = join(`set-${place}`, 'set.csv')
          mkdirSync(join(folder, `set-${place}`), { recursive: true })
          writeSet(join(folder, `set-${place}`), content)
          return name
        })
        const words = ['run', ...names, '--base-url', endpoint.url]
        const { code, stderr } = await runProgram(words, {
          cwd: folder,
          env: { ASSIST_API_KEY: 'test-key-0123456789' },
        })
        const faults = refused.flatMap((set, place) => set.faults.map((fault) => `set-${place}/${fault}`))
        const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`
        expect([code, ...stderr.trim().split('\n')]).toEqual([
          2,
          ...faults.map(visible),
          `${count}; nothing was sent`,
        ])
      }
      expect(endpoint.calls).toHaveLength(0)
      await endpoint.close()
    })
  })
}
