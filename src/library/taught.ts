// What people say beside the articles: decisions on questions, and words that mean the same.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Taught } from '../analysis/articles/consult.ts'
import { readDecisions } from '../dataset/decisions.ts'
import { decodeText, describeFileError } from '../dataset/text.ts'
import { faultsError, optionError } from '../options/faults.ts'

export interface TaughtFiles {
  readonly synonyms?: string | undefined
  readonly decisions?: string | undefined
}

/** The named files, else those that lie in the articles' folder or beside it, and beside the runs. */
export function taughtFiles(
  { synonyms, decisions }: TaughtFiles,
  { articles, run }: { readonly articles?: string | undefined; readonly run?: string | undefined },
): TaughtFiles {
  const find = (paths: readonly string[]): string | undefined => paths.find((path) => existsSync(path))
  const beside = articles === undefined ? [] : [join(articles, SYNONYMS), join(dirname(articles), SYNONYMS)]
  return {
    synonyms: synonyms ?? find(beside),
    decisions: decisions ?? find(run === undefined ? [] : [join(dirname(run), 'decisions.csv')]),
  }
}

const SYNONYMS = 'synonyms.txt'

/** Throws UsageError for a file that cannot be read. */
export async function readTaught({ synonyms, decisions }: TaughtFiles): Promise<Taught> {
  const read = decisions === undefined ? { decisions: [], faults: [] } : await readDecisions(decisions)
  if (read.faults.length > 0) throw faultsError(read.faults, 'sent or written')
  return { decisions: read.decisions, synonyms: synonyms === undefined ? [] : await readSynonyms(synonyms) }
}

/** A line a group, its words and phrases separated by commas. */
async function readSynonyms(path: string): Promise<string[][]> {
  try {
    const text = await decodeText(readFileSync(path))
    return text
      .split('\n')
      .map((line) => line.split(/[,;]/).flatMap((word) => word.trim() || []))
      .filter((group) => group.length > 1)
  } catch (error) {
    throw optionError('synonyms', `${path}: ${describeFileError(error) ?? String(error)}`)
  }
}
