// Runs a table of broken question sets: reading and surveying say the same of each, word for word.
import { describe, expect, test } from 'vitest'
import { formatFault } from '../../src/dataset/fault.ts'
import { surveyQuestionSets } from '../../src/dataset/survey.ts'
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
  })
}
