// Code blocks of README and docs/, as a reader would paste them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './program.ts'

export interface Block {
  readonly language: string
  readonly text: string
  /** Why no test runs it: the text of a `<!-- not run: why -->` before the block. */
  readonly notRun: string | undefined
}

export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(projectRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
]

export const readPage = (page: string): string => readFileSync(join(projectRoot, page), 'utf8')

export const blocksOf = (page: string): Block[] =>
  [...readPage(page).matchAll(/(?:^<!-- not run: (.+) -->\n\n)?^```(\w+)\n([^]*?)^```$/gm)].map(
    ([, notRun, language = '', text = '']) => ({ language, text, notRun }),
  )

/** The README's `questions.csv`, with which every guide starts. */
export function readmeQuestions(): string {
  const set = blocksOf('README.md').find(({ language }) => language === 'csv')
  if (set === undefined) throw new Error('the README shows no question set')
  return set.text
}

/** The block of a page that begins with a comment with this file name. Throws if there is none. */
export function fileInPage(page: string, name: string): string {
  const found = blocksOf(page).find(({ text }) => /^(?:#|\/\/) (.+)\n/.exec(text)?.[1] === name)
  if (found === undefined) throw new Error(`${page} shows no ${name}`)
  return found.text
}
