// Protects a resume of a run with --kb: it answers from the articles of the run.
import { renameSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runProgram, splitWords } from '../support/program.ts'
import { turnsOfPage } from '../support/report-page.ts'
import { openWorkspace } from '../support/workspace.ts'

const COFFEE = 'Who repairs the espresso machine in the kitchen?'
const articleOf = (who: string): string => `# Espresso machine\n\nIn the kitchen ${who} repairs it.\n`
const { at, put, read, rows, expectExit } = openWorkspace({
  'set.csv': `message\n${COFFEE}\n${COFFEE} Please.\n`,
  'articles/espresso.md': articleOf('Ann'),
  'elsewhere/articles/espresso.md': articleOf('Bob'),
})
const answersOf = (name: string) => rows(name, 'results.csv').map(({ answer }) => answer)
const ANN = expect.stringContaining('Ann repairs it') as unknown

test('a resume in another folder answers from the articles with which the run started', async () => {
  put('articles/empty.MD', '')
  const { screen } = await expectExit(4, 'run set.csv --sandbox --kb articles --max-calls 1 --out run')
  expect(screen).toContain('The sandbox answers from 1 article. Not read: empty.MD (it has no text)')
  const resume = async (code: number, more = ''): Promise<string> => {
    const words = splitWords(`run --resume ../run --max-calls 9 ${more}`)
    const ended = await runProgram(words, { cwd: at('elsewhere') })
    expect(ended.code, ended.screen).toBe(code)
    return ended.screen
  }

  renameSync(at('articles'), at('away'))
  expect(await resume(2)).toMatch(/the articles of the run cannot be read: .* is not a folder; restore them/)
  renameSync(at('away'), at('articles'))
  expect(await resume(2, '--sandbox --kb articles')).toMatch(
    /--kb was \S+articles, now \S+elsewhere\/articles; leave it out, or start a new run/,
  )
  await resume(0)
  expect(answersOf('run')).toEqual([ANN, ANN])
  expect(rows('run', 'results.csv').map((row) => row['sandbox_article'])).toEqual(['espresso', 'espresso'])
  expect(turnsOfPage(read('run', 'report.html')).map(({ article }) => article)).toEqual([
    'espresso',
    'espresso',
  ])
})
