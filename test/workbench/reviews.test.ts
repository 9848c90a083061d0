// Protects ratings and decisions: those of several tabs and of a report that runs meanwhile stay, those of the
// last run count in the next, and a disk that is full is said where the rating was made.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { listToDo } from '../../src/domain/to-do.ts'
import { readReviews } from '../../src/dataset/reviews.ts'
import { type Acts, NO_DESK, READING } from '../../src/page/acts.ts'
import { storeOf } from '../../src/page/store.ts'
import { leftIn } from '../../src/workbench/client/shown.ts'
import { report } from '../../src/library/report.ts'
import type { RunToDo } from '../../src/workbench/api.ts'
import { recordedFolder } from '../recorded/cases.ts'
import { unpackRecorded } from '../recorded/run-case.ts'
import { findChromium } from '../support/browser.ts'
import { pageTurn, UNSUPPORTED } from '../support/report-page.ts'
import { temporaryPaths } from '../support/temporary.ts'
import { useBrowser } from '../support/watched-browser.ts'
import { hearEvents, openWorkbench, runOnSandbox } from '../support/workbench.ts'

const pathOf = temporaryPaths()

/** Of a recorded run with ten answers and more. */
async function openRun() {
  const folder = pathOf()
  unpackRecorded(join(recordedFolder, 'articles/run'), join(folder, 'night'))
  await report({ run: join(folder, 'night') })
  const workbench = await openWorkbench(folder)
  const rate = async (id: string, word: string | null, note = '', answer = `Answer ${id}`) =>
    workbench.post('/api/review', {
      run: 'night',
      id,
      message: `Question ${id}`,
      answer,
      review: word,
      note,
      reviewer: 'Ada',
    })
  const saved = async () => (await readReviews(join(folder, 'night/reviews.csv'))).reviews
  return { folder, workbench, rate, saved }
}

test('a rating is a line of reviews.csv, with who made it and when', async () => {
  const { folder, rate } = await openRun()
  expect((await rate('q1', 'poor', '=1+1')).status).toBe(200)
  const [header, row] = readFileSync(join(folder, 'night/reviews.csv'), 'utf8').split('\n')
  expect(header).toBe('id,answer,review,note,message,reviewer,reviewed_at')
  expect(row).toMatch(/^q1,Answer q1,poor,'=1\+1,Question q1,Ada,\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test('ratings made at once, and while reports are written, are all kept', async () => {
  const { folder, rate, saved } = await openRun()
  const ids = Array.from({ length: 60 }, (_, index) => `q${index}`)
  const reports = (async () => {
    for (let times = 0; times < 3; times += 1) await report({ run: join(folder, 'night') })
  })()
  for (let from = 0; from < 60; from += 10)
    await Promise.all(ids.slice(from, from + 10).map(async (id) => rate(id, 'good')))
  await reports
  expect((await saved()).map(({ questionId }) => questionId).toSorted()).toEqual(ids.toSorted())
})

test('one that is taken back is not there after a report, nor does an older table bring it back', async () => {
  const { folder, workbench, rate } = await openRun()
  const { text } = await workbench.ask('/file?path=night/results.csv')
  const [first] = parse(text, { columns: true, bom: true }) as { id: string; answer: string }[]
  const { id = '', answer: cell = '' } = first ?? {}
  const answer = cell.replace(/^'/, '')
  const rated = async () => {
    await report({ run: join(folder, 'night') })
    return readFileSync(join(folder, 'night/results.csv'), 'utf8').includes(',poor,')
  }
  await rate(id, 'poor', '', answer)
  expect(await rated()).toBe(true)
  await rate(id, null, '', answer)
  expect(await rated()).toBe(false)
  await rate(id, 'poor', '', answer)
  expect(await rated()).toBe(true)
})

test('a table that a spreadsheet has saved in its own way takes further ratings', async () => {
  const { folder, rate, saved } = await openRun()
  writeFileSync(join(folder, 'night/reviews.csv'), '\uFEFFid;answer;review;note\r\nq1;"Answer; q1";good;\r\n')
  await rate('q2', 'poor')
  expect((await saved()).map(({ answer, review }) => [answer, review])).toEqual([
    ['Answer; q1', 'good'],
    ['Answer q2', 'poor'],
  ])
})

test('a rating and a decision of one tab are heard in another', async () => {
  const { workbench, rate } = await openRun()
  const heard = await hearEvents(workbench)
  await rate('q1', 'poor')
  await workbench.post('/api/decide', {
    run: 'night',
    id: 'q2',
    message: 'm',
    article: null,
    reviewer: 'Ada',
  })
  const made = { by: 'Ada', at: expect.any(String) as string }
  const review = {
    questionId: 'q1',
    message: 'Question q1',
    answer: 'Answer q1',
    review: 'poor',
    note: '',
    made,
  }
  await expect
    .poll(() => heard.filter(({ kind }) => kind !== 'calls' && kind !== 'runs'))
    .toEqual([
      { kind: 'review', run: 'night', review },
      { kind: 'decision', run: 'night', decision: { id: 'q2', message: 'm', article: null, ...made } },
    ])
})

test('two tabs that meet such a table lose neither rating', async () => {
  const { folder, rate, saved } = await openRun()
  writeFileSync(join(folder, 'night/reviews.csv'), 'id;answer;review;note\nq1;Answer q1;good;\n')
  const ids = ['q1', 'q2', 'q3', 'q4', 'q5']
  await Promise.all(ids.slice(1).map(async (id) => rate(id, 'poor')))
  expect((await saved()).map(({ questionId }) => questionId).toSorted()).toEqual(ids)
})

test('what the disk does not take is said, and so is a table that cannot be read', async () => {
  const { folder, rate } = await openRun()
  // A folder in its place cannot be written by anybody.
  mkdirSync(join(folder, 'night/reviews.csv'))
  const { status, text } = await rate('q1', 'good')
  expect(status).toBe(507)
  expect(text).toContain('The disk did not take it')
})

test('two runs are compared; a rating in the comparison is one of its candidate', async () => {
  const folder = pathOf()
  unpackRecorded(join(recordedFolder, 'articles'), folder)
  const workbench = await openWorkbench(folder)
  const { status, text } = await workbench.post('/api/compare', { baseline: 'run', candidate: 'after' })
  expect(status, text).toBe(200)
  const { path } = JSON.parse(text) as { path: string }
  expect(await workbench.viewOf(path)).toMatchObject({
    run: { kind: 'comparison', sets: ['run', 'after'] },
    reviewed: 'after',
  })
  const rated = {
    run: 'after',
    id: 'q1',
    message: 'm',
    answer: 'a',
    review: 'poor',
    note: '',
    reviewer: 'Ada',
  }
  await workbench.post('/api/review', rated)
  expect((await workbench.viewOf(path)).reviews).toMatchObject([
    { questionId: 'q1', review: 'poor', made: { by: 'Ada' } },
  ])

  // A later comparison in which it is the baseline has the same id first.
  await workbench.post('/api/compare', { baseline: 'after', candidate: 'run' })
  expect((await workbench.viewOf(path)).reviewed).toBe('after')
})

/** A desk with one article, asked two questions that it does not answer. */
async function openDesk() {
  const folder = pathOf()
  mkdirSync(join(folder, 'sets'), { recursive: true })
  mkdirSync(join(folder, 'kb'))
  const set = join(folder, 'sets/set.csv')
  writeFileSync(join(folder, 'kb/parking.md'), '# Where to park your car\n\nPark your car in garage seven.\n')
  writeFileSync(set, 'id,message\nboat,Where do I moor my canoe?\nzebra,Which zebra won the derby?\n')
  const ask = async (name: string) => runOnSandbox(set, join(folder, name), { kb: join(folder, 'kb') })
  await ask('night')
  const workbench = await openWorkbench(folder, { kb: join(folder, 'kb') })
  const decide = async (id: string, article: string | null | undefined, message = '') =>
    workbench.post('/api/decide', { run: 'night', id, message, article, reviewer: 'Ada' })
  const causes = (name: string) => {
    const rows = parse(readFileSync(join(folder, name, 'results.csv'), 'utf8'), { columns: true, bom: true })
    return (rows as { gap_cause: string; nearest_article: string }[]).map(
      ({ gap_cause: cause, nearest_article: article }) => [cause, article],
    )
  }
  return { folder, ask, workbench, decide, causes }
}

test('a decision is a line of decisions.csv, counts in the next report and the next run, and is taken back', async () => {
  const { folder, ask, workbench, decide, causes } = await openDesk()
  expect((await decide('boat', 'parking', 'Where do I moor my canoe?')).status).toBe(200)
  expect((await decide('zebra', null)).status).toBe(200)
  const [header, row] = readFileSync(join(folder, 'decisions.csv'), 'utf8').split('\n')
  expect(header).toBe('id,message,article,by,at')
  expect(row).toMatch(/^boat,Where do I moor my canoe\?,parking,Ada,\d{4}-\d\d-\d\dT[\d:.]+Z$/)

  const decided = [
    ['not-used', 'parking'],
    ['no-article', expect.anything()],
  ]
  await report({ run: join(folder, 'night') })
  expect(causes('night')).toEqual(decided)
  await ask('next')
  expect(causes('next')).toEqual(decided)
  expect((await workbench.viewOf('next')).decisions).toMatchObject([
    { id: 'boat', article: 'parking', by: 'Ada' },
    { id: 'zebra', article: null },
  ])

  await decide('boat', undefined, 'Where do I moor my canoe?')
  await report({ run: join(folder, 'next') })
  expect(causes('next')[0]).not.toContain('not-used')
})

test('the next run at the same target has the ratings of the last, whatever its set is called', async () => {
  const { folder, workbench } = await openDesk()
  const results = readFileSync(join(folder, 'night/results.csv'), 'utf8')
  const [row] = parse(results, { columns: true, bom: true }) as Record<string, string>[]
  const { id, message, answer } = row ?? {}
  const rating = { run: 'night', id, message, answer, review: 'poor', note: 'no boats', reviewer: 'Ada' }
  expect((await workbench.post('/api/review', rating)).status).toBe(200)
  writeFileSync(join(folder, 'sets/renamed.csv'), `id,message\nother,${message}\n`)
  const start = { set: 'sets/renamed.csv', columns: [], target: 'sandbox', maxCalls: null, baseline: null }
  const { path } = JSON.parse((await workbench.post('/api/start', start)).text) as { path: string }
  const view = async () => workbench.viewOf(path)
  await expect.poll(async () => (await view()).report, { timeout: 30_000 }).not.toBeNull()
  expect((await view()).reviews).toMatchObject([{ questionId: 'other', review: 'poor', note: 'no boats' }])
  expect(readFileSync(join(folder, path, 'summary.md'), 'utf8')).toContain('1 review taken up from night')
})

test('a decision of an own table, which has no ids, is taken back', async () => {
  const { folder, workbench, decide } = await openDesk()
  const [boat, zebra] = ['Where do I moor my canoe?', 'Which zebra won the derby?']
  writeFileSync(join(folder, 'decisions.csv'), `message;article\n${boat};parking\n${zebra};none\n`)
  await decide('boat', undefined, boat)
  const { decisions } = await workbench.viewOf('night')
  expect(decisions.map(({ message }) => message)).toEqual([zebra])
})

test('decisions of two tabs, also on a table of a spreadsheet, and while a report is written, are all kept', async () => {
  const { folder, workbench, decide } = await openDesk()
  writeFileSync(join(folder, 'decisions.csv'), '\uFEFFid;article\r\nboat;parking\r\n')
  const ids = Array.from({ length: 40 }, (_, index) => `q${index}`)
  const reports = (async () => {
    for (let times = 0; times < 3; times += 1) await report({ run: join(folder, 'night') })
  })()
  for (let from = 0; from < 40; from += 10)
    await Promise.all(ids.slice(from, from + 10).map(async (id) => decide(id, null)))
  await reports
  const { decisions } = await workbench.viewOf('night')
  expect(decisions.map(({ id }) => id).toSorted()).toEqual(['boat', ...ids].toSorted())
})

test('what is to do by article: facts to mend, and gaps that a person said no article answers', async () => {
  const folder = pathOf()
  unpackRecorded(join(recordedFolder, 'articles'), folder)
  await report({ run: join(folder, 'run') })
  const workbench = await openWorkbench(folder)
  const results = readFileSync(join(folder, 'run/results.csv'), 'utf8')
  const rows = parse(results, { columns: true, bom: true }) as Record<string, string>[]
  const { id = '', message = '' } = rows.find((row) => row['gap_cause'] !== '') ?? {}
  await workbench.post('/api/decide', { run: 'run', id, message, article: null, reviewer: 'Ada' })

  const [first] = JSON.parse((await workbench.ask('/api/todo')).text) as RunToDo[]
  expect(first?.run.path).toBe('run')
  const reset = ['mend', 'Resetting your password', '35 minutes; Resetting your password says 30 minutes']
  expect(
    first?.items.map(({ kind, article, text, question }) => [kind, article?.title, text, question?.id]),
  ).toEqual([
    [...reset, 'forgot-password'],
    [...reset, 'forgot-password-link-expired'],
    [...reset, 'forgot-password-rules'],
    ['write', undefined, '', id],
  ])
  const { text, headers } = await workbench.ask('/file?todo')
  expect(headers['content-disposition']).toContain('to-do.csv')
  const table = parse(text, { columns: true }) as Record<string, string>[]
  expect(table.map((row) => [row['to_do'], row['article'], row['id'], row['run']]).slice(2)).toEqual([
    ['mend', 'password-reset', 'forgot-password-rules', 'run'],
    ['write', '', id, 'run'],
  ])
  await workbench.post('/api/decide', { run: 'run', id, message, article: 'password-reset', reviewer: 'Ada' })
  const [decided] = JSON.parse((await workbench.ask('/api/todo')).text) as RunToDo[]
  const found = decided?.items.filter(({ kind }) => kind === 'find' || kind === 'write')
  expect(found?.map(({ kind, article, question }) => [kind, article?.title, question?.id])).toEqual([
    ['find', 'Resetting your password', id],
  ])
})

test('a list of the overview counts what is left, each repeat of a question for itself', () => {
  const articles = {
    kind: 'answer',
    source: null,
    misfit: null,
    checked: 1,
    doubtful: [UNSUPPORTED],
    held: [],
  } as const
  const turns = ['vpn', 'mail'].flatMap((id) =>
    [1, 2].map((repeat) => pageTurn({ id, thread: id, repeat, articles })),
  )
  const acts: Acts = { ...READING, markOf: ({ id }) => ({ word: id === 'vpn' ? 'good' : null, note: '' }) }
  const link = { find: 'is:unsupported' }
  const list = { kind: 'list', title: 'Unsupported facts', total: 4, link, items: [{ text: 'x' }] } as const
  const desk = storeOf(NO_DESK.store.contents, turns)
  expect(leftIn({ id: 'overview', title: '', blocks: [list] }, desk, acts).blocks).toMatchObject([
    { total: 2 },
  ])
})

test('articles that contradict each other, facts that nobody rated good, and articles to be found are to do', () => {
  const section = (title: string, text = '') => ({ article: title, title, section: 'VPN', url: null, text })
  const [boats, cats] = [section('Boats'), section('Cats')]
  const doubtful = [
    { kind: 'elsewhere', text: '30 %', start: 0, end: 4, sentence: '', instead: null, at: boats } as const,
  ]
  const answer = { kind: 'answer', source: null, misfit: null, checked: 1, doubtful, held: [] } as const
  const turns = [
    pageTurn({ id: 'fact', articles: answer }),
    pageTurn({ id: 'good', articles: answer }),
    pageTurn({ id: 'gap', grounded: false }),
    pageTurn({ id: 'missing', grounded: false }),
    pageTurn({ id: 'open', grounded: false }),
    pageTurn({ id: 'other', articles: { ...answer, source: boats, misfit: cats, doubtful: [] } }),
    pageTurn({ id: 'right', articles: { ...answer, source: cats, misfit: boats, doubtful: [] } }),
  ]
  const decided = { gap: cats, missing: null, other: cats, right: cats }
  const toDo = listToDo(
    turns,
    [
      { kind: 'value', sections: [section('Home', '12 hours'), section('Access', '8 hours')] },
      { kind: 'copy', sections: [section('Desk'), section('Help')] },
    ],
    {
      decidedOn: ({ id }) => decided[id as keyof typeof decided],
      isGood: ({ id }) => id === 'good',
      expectedOf: () => [],
    },
  )
  expect(toDo.map(({ kind, article, question, text }) => [kind, article?.title, question?.id, text])).toEqual(
    [
      ['mend', 'Boats', 'fact', '30 %; in Boats, perhaps for another matter'],
      ['find', 'Cats', 'gap', ''],
      ['find', 'Cats', 'other', ''],
      ['contradiction', 'Desk', undefined, 'nearly the same text as Help › VPN'],
      ['contradiction', 'Home', undefined, '12 hours; Access › VPN says 8 hours'],
      ['write', undefined, 'missing', ''],
    ],
  )
})

const chromium = findChromium()

describe.skipIf(chromium === undefined)('in a browser', () => {
  const browser = useBrowser(chromium, 'main')

  test('an article that is near to no word of the question can be named as the one that answers it', async () => {
    const { workbench, folder } = await openDesk()
    const page = await browser.open(workbench.url)
    await page.goto(`${workbench.origin}/run?path=night#find=zebra`)
    const other = page.getByLabel('Another article answers it')
    await other.selectOption({ label: 'Where to park your car' })
    await page.locator('.done').getByText('The article answers it').waitFor()
    await page.locator('.turn-state').getByText('decided: Where to park your car answers it').waitFor()
    await expect.poll(() => existsSync(join(folder, 'decisions.csv'))).toBe(true)
    expect(readFileSync(join(folder, 'decisions.csv'), 'utf8')).toContain(
      'zebra,Which zebra won the derby?,parking,',
    )
    expect(await other.inputValue()).toBe('parking')
    await page.keyboard.press('u')
    await expect.poll(async () => other.inputValue()).toBe('')
  })

  test('each act is taken back by one undo, made twice or before another look at the tab, and none of another tab is', async () => {
    const { workbench, decide, folder } = await openDesk()
    const page = await browser.open(workbench.url)
    await page.goto(`${workbench.origin}/run?path=night#conversations`)
    const current = page.locator('.turn[aria-current=true]')
    const says = async (key: string, text: string | RegExp): Promise<void> => {
      await page.keyboard.press(key)
      await current.getByText(text).first().waitFor()
    }
    const undo = async (): Promise<void> => {
      await page.keyboard.press('u')
      await expect.poll(async () => current.locator('.done').count()).toBe(0)
    }
    await current.waitFor()
    await says('x', 'decided: no article answers it')
    await says('x', /No article answers it ·/)
    await undo()
    expect(await current.getByText('decided').count()).toBe(0)
    await says('3', /Rated poor ·/)
    await page.keyboard.press('3')
    await undo()
    expect(await current.locator('[aria-pressed=true]').count()).toBe(0)

    await page.keyboard.press('e')
    await page.keyboard.type('no boats')
    await says('Enter', /Note saved ·/)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    const read = page.waitForResponse(/api\/run/)
    await (await read).finished()
    await undo()
    expect(await current.locator('textarea').inputValue()).toBe('')

    // Another tab's decision is later than this one only when this one is saved.
    const saved = page.waitForResponse(/api\/decide/)
    await says('x', /No article answers it ·/)
    await (await saved).finished()
    await decide('boat', 'parking', 'Where do I moor my canoe?')
    await current.getByText(/decided: .* answers it, Ada/).waitFor()
    expect(await current.locator('.done').count()).toBe(0)
    const kept = readFileSync(join(folder, 'decisions.csv'), 'utf8')
    await page.keyboard.press('u')
    expect(readFileSync(join(folder, 'decisions.csv'), 'utf8')).toBe(kept)
  })

  test('the last thing to do stays in view when it is done, and so it does at its address', async () => {
    const { workbench, decide } = await openDesk()
    await decide('boat', null, 'Where do I moor my canoe?')
    const page = await browser.open(workbench.url)
    await page.goto(`${workbench.origin}/run?path=night#conversations`)
    const question = page.locator('.turn[aria-current=true]')
    await question.getByText('Which zebra won the derby?').waitFor()
    await page.keyboard.press('x')
    await question.getByText('decided: no article answers it').waitFor()
    expect(await question.getAttribute('data-id')).toBe('zebra')
    await page.locator('.filters a[aria-current=true]', { hasText: 'To do 0' }).waitFor()

    const other = await page.context().newPage()
    await other.goto(`${workbench.origin}/run?path=night#find=is:todo&q=zebra`)
    await other.locator('.turn[aria-current=true][data-id=zebra]').waitFor()
  })

  test('a fact that no article has is never to be said again, also where no article is near the answer', async () => {
    const { workbench, folder } = await openDesk()
    mkdirSync(join(folder, 'articles'))
    writeFileSync(join(folder, 'articles/cats.md'), '# Cats\n\nCats sleep on the sofa.\n')
    writeFileSync(
      join(folder, 'kb/derby.md'),
      '# Which zebra won the derby\n\nZebra Ada won the derby in 2019.\n',
    )
    const [kb, articles] = [join(folder, 'kb'), join(folder, 'articles')]
    await runOnSandbox(join(folder, 'sets/set.csv'), join(folder, 'next'), { kb, articles })
    const page = await browser.open(workbench.url)
    await page.goto(`${workbench.origin}/run?path=next#find=&q=zebra`)
    await page.getByRole('button', { name: 'Must not say 2019' }).click()
    await page.getByText(/Expected in sets\/set\.csv ·/).waitFor()
    await expect.poll(() => readFileSync(join(folder, 'sets/set.csv'), 'utf8')).toContain('2019')
  })

  test('a rating of another tab appears, and a stopped server disables ratings with the reason', async () => {
    const { workbench, folder } = await openDesk()
    const results = readFileSync(join(folder, 'night/results.csv'), 'utf8')
    const [row] = parse(results, { columns: true, bom: true }) as Record<string, string>[]
    const { message, answer } = row ?? {}
    const page = await browser.open(workbench.url)
    await page.goto(`${workbench.origin}/run?path=night#q=boat`)
    const poor = page.getByRole('button', { name: /^poor/ }).first()
    await poor.waitFor()
    expect(await poor.getAttribute('aria-pressed')).toBe('false')
    const rating = { run: 'night', id: 'boat', message, answer, review: 'poor', note: '', reviewer: 'Ada' }
    await workbench.post('/api/review', rating)
    await expect.poll(async () => poor.getAttribute('aria-pressed')).toBe('true')

    await workbench.close()
    await page.getByText('Not connected: the workbench was stopped').first().waitFor()
    expect(await poor.isDisabled()).toBe(true)
    // The browser tries to connect again.
    expect(browser.takeRecorded().every((entry) => entry.includes('ERR_'))).toBe(true)
  })

  test('in a comparison the new answer is accepted as expected, by what the button says', async () => {
    const { workbench, folder, ask } = await openDesk()
    writeFileSync(
      join(folder, 'sets/set.csv'),
      'id,message,expect_contains\nboat,Where do I moor my canoe?,jetty two\nzebra,Which zebra won the derby?,\n',
    )
    await ask('before')
    writeFileSync(
      join(folder, 'kb/canoe.md'),
      '# Where to moor your canoe\n\nMoor your canoe at jetty three.\n',
    )
    await ask('later')
    const { text } = await workbench.post('/api/compare', { baseline: 'before', candidate: 'later' })
    const { path } = JSON.parse(text) as { path: string }
    const page = await browser.open(workbench.url)
    await page.goto(`${workbench.origin}/run?path=${path}#find=is:changed`)
    const current = page.locator('.turn[aria-current=true]')
    // Beside it stands the article that it comes from.
    await page.locator('.source h3', { hasText: 'Where to moor your canoe' }).waitFor()
    await page.getByRole('button', { name: 'Accept the new answer as expected' }).waitFor()
    await page.keyboard.press('a')
    await current.getByText(/^Expected in sets\/set\.csv/).waitFor()
    const saved = () => readFileSync(join(folder, 'sets/set.csv'), 'utf8')
    await expect.poll(saved).toContain('Moor your canoe at jetty three.')
    // What the accepted answer does not meet would fail the next night, too.
    expect(saved()).not.toContain('jetty two')
    await page.keyboard.press('u')
    await expect.poll(saved).toContain('jetty two')
  })
})
