// Code blocks of the README and of docs/, as a reader would paste them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './program.ts'

export interface Block {
  readonly language: string
  readonly text: string
  /** Why it cannot run here: `<!-- not run: why -->` stands before it. */
  readonly notRun: string | undefined
}

/** Pages, by their path in the project. */
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

/** The README's `questions.csv`, which every guide begins with. */
export function questionsOfReader(): string {
  const set = blocksOf('README.md').find(({ language }) => language === 'csv')
  if (set === undefined) throw new Error('the README shows no question set')
  return set.text
}

/** The one `yaml` block of a page that begins with a comment naming this file. Throws where there is none. */
export function fileInPage(page: string, name: string): string {
  const found = blocksOf(page).find(
    ({ language, text }) => language === 'yaml' && text.startsWith(`# ${name}\n`),
  )
  if (found === undefined) throw new Error(`${page} shows no ${name}`)
  return found.text
}
