// Protects the lists of failed questions: those that fail the run come first, with their reason, and no answer is shown twice.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { run } from '../../src/library/index.ts'
import { titleText } from '../../src/page/text.tsx'
import type { Document, Item } from '../../src/report/document.ts'
import { judgeStandings } from '../../src/analysis/comparing/judged-run.ts'
import { renderTerminal } from '../../src/report/terminal.ts'
import { compareRecorded, reportRecorded } from '../recorded/reports.ts'
import { makeQuestion } from '../support/recorded.ts'
import { turnsOfPage } from '../support/report-page.ts'
import { temporaryFolder } from '../support/temporary.ts'

const scratch = temporaryFolder()

function failuresOf({ sections }: Document) {
  const list = sections
    .flatMap(({ blocks }) => blocks)
    .find((block) => block.kind === 'list' && titleText(block.title).startsWith('Failed questions'))
  if (list?.kind !== 'list') throw new Error('no list of failures')
  return list
}

const idOf = ({ text }: Item): string | undefined => titleText(text).split(' · ')[0]

describe('with 300 known failures and two that fail the run', async () => {
  const known = Array.from({ length: 300 }, (_, number) => `known-${number},What is ${number}?,no answer,`)
  const rows = ['id,message,expect_contains,must_pass', ...known]
  rows.push('fresh,How do I set up the printer?,tray,', 'must,What is left?,no answer,yes')
  const set = join(scratch, 'set.csv')
  writeFileSync(set, `${rows.join('\n')}\n`)
  const article = (name: string, text: string): string => {
    mkdirSync(join(scratch, name))
    writeFileSync(join(scratch, name, 'printer.md'), `# Set up the printer\n\n${text}\n`)
    return join(scratch, name)
  }
  const asked = { datasets: [set], sandbox: true, rate: 'unlimited', out: join(scratch, 'before') }
  await run({ ...asked, kb: article('full', 'To set up the printer, open its tray.') })
  const after = { ...asked, kb: article('cut', 'To set up the printer, call the desk.') }
  const { document } = await run({
    ...after,
    baseline: join(scratch, 'before'),
    out: join(scratch, 'after'),
  })
  const { items, total } = failuresOf(document)

  test('those two come first, the newly failing one before the must_pass one', () => {
    expect(total).toBe(302)
    expect(items.slice(0, 3).map(idOf)).toEqual(['fresh', 'must', 'known-0'])
  })

  test('the page lists them first', () => {
    const html = readFileSync(join(scratch, 'after', 'report.html'), 'utf8')
    const failed = html.slice(html.indexOf('<h2>Failed questions'))
    const links = [...failed.matchAll(/href="#q=([\w-]+)"/g)].map(([, id]) => id)
    expect(links.slice(0, 3)).toEqual(['fresh', 'must', 'known-0'])
  })

  test('the screen lists them with their reasons, in at most five lines', () => {
    const screen = renderTerminal(document)
    const title = screen.indexOf('  Failed questions (302, known: 300)')
    const end = screen.indexOf('', title)
    const lines = screen.slice(title + 1, end).map((line) => line.trim())
    expect(lines.length).toBeLessThanOrEqual(5)
    expect(lines[0]).toMatch(/^fresh · How do I set up the printer\? +newly failing; does not contain 'tray'/)
    expect(lines[1]).toMatch(/^must · What is left\? +does not contain 'no answer'/)
    expect(lines.at(-1)).toBe('298 more in the report')
    expect(renderTerminal(document, { footer: [] })).toContain('  298 more with --json')
    expect(screen.length).toBeLessThanOrEqual(30)
  })
})

describe('an unmet check beside its answer does not repeat the answer:', () => {
  const pages: Readonly<Record<string, () => Promise<string>>> = {
    'the page of a run': async () => (await reportRecorded('expectations', scratch)).page,
    'the page of a comparison': async () => (await compareRecorded('compared-kinds', scratch)).page,
  }

  test.each(Object.entries(pages))('%s', async (_, made) => {
    const turns = turnsOfPage(readFileSync(await made(), 'utf8'))
    const unmet = turns.flatMap(({ answer, checks }) =>
      checks.filter(({ met }) => !met).map(({ found }) => ({ answer, found })),
    )
    expect(unmet.length).toBeGreaterThan(1)
    for (const { answer, found } of unmet) {
      expect(found).toMatch(/\S/)
      expect(found).not.toContain(answer)
    }
  })
})

test('a question that failed before and now ends in an error is no known failure', () => {
  const before = { baseline: 'night', byId: new Map([['q', 'failed' as const]]) }
  const kinds = (['failed', 'errored'] as const).map((kind) => {
    const standing = { kind, type: 'x', unmet: [], serviceMs: 1, question: makeQuestion('q', 't', 1) }
    return judgeStandings([standing], { before, isGreen: false })
  })
  expect(kinds).toMatchObject([[{ rank: 'known' }], [{ rank: 'other' }]])
})
