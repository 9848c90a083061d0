// Protects ratings and decisions: those of several tabs and of a report that runs meanwhile stay, those of the
// last run count in the next, and a disk that is full is said where the rating was made.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import type { ListedRun } from '../../src/domain/listed-run.ts'
import { listToDo } from '../../src/domain/to-do.ts'
import { readReviews } from '../../src/dataset/reviews.ts'
import { type Acts, NO_DESK, READING } from '../../src/page/acts.ts'
import { storeOf } from '../../src/page/store.ts'
import { leftIn, plainSection } from '../../src/workbench/client/shown.ts'
import { report } from '../../src/library/report.ts'
import type { RunToDo } from '../../src/workbench/api.ts'
import { recordedFolder } from '../recorded/cases.ts'
import { unpackRecorded } from '../recorded/run-case.ts'
import { findChromium } from '../support/browser.ts'
import { heldAnswer, pageTurn } from '../support/report-page.ts'
import { temporaryPaths } from '../support/temporary.ts'
import { useBrowser } from '../support/watched-browser.ts'
import { hearEvents, openView, openWorkbench, rowsIn, runOnSandbox, startOf } from '../support/workbench.ts'

const pathOf = temporaryPaths()

/** Of a recorded run with ten answers and more. */
async function openRun() {
  const folder = pathOf()
  unpackRecorded(join(recordedFolder, 'articles/run'), join(folder, 'night'))
  await report({ run: join(folder, 'night') })
  const workbench = await openWorkbench(folder)
  const rate = async (id: string, review: string | null, note = '', answer = `Answer ${id}`) =>
    workbench.rate({ run: 'night', id, message: `Question ${id}`, answer, review, note })
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

test.each([
  ['rate', 'night/reviews.csv', 'id;answer;review;note\r\nboat;"On; the lake";good;\r\n'],
  ['decide', 'decisions.csv', 'id;article\r\nboat;parking\r\n'],
] as const)(
  'what people %s at once, on a table of a spreadsheet and while reports are written, is all kept',
  async (act, table, text) => {
    const { folder, workbench } = await openRun()
    writeFileSync(join(folder, table), `\uFEFF${text}`)
    const ids = Array.from({ length: 60 }, (_, index) => `q${index}`)
    const reports = (async () => {
      for (let times = 0; times < 3; times += 1) await report({ run: join(folder, 'night') })
    })()
    for (let from = 0; from < 60; from += 10)
      await Promise.all(ids.slice(from, from + 10).map(async (id) => workbench[act]({ run: 'night', id })))
    await reports
    const { reviews, decisions } = await workbench.viewOf('night')
    const kept = act === 'rate' ? reviews.map(({ questionId }) => questionId) : decisions.map(({ id }) => id)
    expect(kept.toSorted()).toEqual(['boat', ...ids].toSorted())
    if (act === 'rate')
      expect(reviews.find(({ questionId }) => questionId === 'boat')?.answer).toBe('On; the lake')
  },
)

test('one that is taken back is not there after a report, nor does an older table bring it back', async () => {
  const { folder, rate } = await openRun()
  const { id = '', answer: cell = '' } = rowsIn(join(folder, 'night/results.csv'))[0] ?? {}
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

test('a rating and a decision of one tab are heard in another', async () => {
  const { workbench, rate } = await openRun()
  const heard = await hearEvents(workbench)
  await rate('q1', 'poor')
  await workbench.decide({ run: 'night', id: 'q2', message: 'm' })
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
  const path = await workbench.make('/api/compare', { baseline: 'run', candidate: 'after' })
  expect(await workbench.viewOf(path)).toMatchObject({
    run: { kind: 'comparison', sets: ['run', 'after'] },
    reviewed: 'after',
  })
  await workbench.rate({ run: 'after', id: 'q1' })
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
    workbench.decide({ run: 'night', id, message, article })
  const causes = (name: string) =>
    rowsIn(join(folder, name, 'results.csv')).map((row) => [row['gap_cause'], row['nearest_article']])
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
  const { id = '', message, answer } = rowsIn(join(folder, 'night/results.csv'))[0] ?? {}
  await workbench.rate({ run: 'night', id, message, answer, note: 'no boats' })
  writeFileSync(join(folder, 'sets/renamed.csv'), `id,message\nother,${message}\n`)
  const path = await workbench.make('/api/start', startOf('sets/renamed.csv'))
  const { reviews } = await workbench.reported(path)
  expect(reviews).toMatchObject([{ questionId: 'other', review: 'poor', note: 'no boats' }])
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

test('what is to do by article: facts to mend, and gaps that a person said no article answers', async () => {
  const folder = pathOf()
  unpackRecorded(join(recordedFolder, 'articles'), folder)
  await report({ run: join(folder, 'run') })
  // A later run of some questions says too little of articles.
  cpSync(join(folder, 'run'), join(folder, 'tagged'), { recursive: true })
  const tagged = join(folder, 'tagged/run.json')
  const later = readFileSync(tagged, 'utf8').replace(/"startedAt": "20/, '"startedAt": "21')
  writeFileSync(tagged, later.replace('"tag": []', '"tag": ["vpn"]'))
  const workbench = await openWorkbench(folder)
  const gap = rowsIn(join(folder, 'run/results.csv')).find((row) => row['gap_cause'] !== '')
  const { id = '', message } = gap ?? {}
  await workbench.decide({ run: 'run', id, message })

  const [first] = await workbench.json<RunToDo[]>('/api/todo')
  expect((await workbench.json<ListedRun[]>('/api/runs'))[0]?.path).toBe('tagged')
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
  expect(text.startsWith('\uFEFFarticle')).toBe(true)
  const table = parse(text, { columns: true, bom: true }) as Record<string, string>[]
  expect(table.map((row) => [row['to_do'], row['article'], row['id'], row['run']]).slice(2)).toEqual([
    ['mend', 'password-reset', 'forgot-password-rules', 'run'],
    ['write', '', id, 'run'],
  ])
  await workbench.decide({ run: 'run', id, message, article: 'password-reset' })
  const [decided] = await workbench.json<RunToDo[]>('/api/todo')
  const found = decided?.items.filter(({ kind }) => kind === 'find' || kind === 'write')
  expect(found?.map(({ kind, article, question }) => [kind, article?.title, question?.id])).toEqual([
    ['find', 'Resetting your password', id],
  ])
  // At another target the same is to do, which is not said twice.
  cpSync(join(folder, 'run'), join(folder, 'other'), { recursive: true })
  writeFileSync(
    join(folder, 'other/run.json'),
    later.replace(/("target": \{\s+"name": )"[^"]+"/, '$1"other"'),
  )
  const lists = await workbench.json<RunToDo[]>('/api/todo')
  expect(lists.map(({ run, items }) => [run.path, items.length])).toEqual([
    ['other', decided?.items.length],
    ['run', 0],
  ])
})

test('a list of the overview counts what is left and what is done, each repeat of a question for itself', () => {
  const articles = heldAnswer()
  const turns = ['vpn', 'mail', 'accepted'].flatMap((id) =>
    [1, 2].map((repeat) => pageTurn({ id, repeat, articles })),
  )
  // It fails still, which is another list's.
  turns.push(pageTurn({ id: 'failing', articles, passed: false }))
  turns.push(...[1, 2].map((repeat) => pageTurn({ id: 'gap', repeat, grounded: false })))
  const reviewedBefore = { word: 'poor', note: '', answer: 'Before.' } as const
  turns.push(...['vpn', 'changed'].map((id) => pageTurn({ id, repeat: 3, reviewedBefore })))
  const acts: Acts = {
    ...READING,
    markOf: ({ id }) => ({ word: ['vpn', 'failing'].includes(id) ? 'good' : null, note: '' }),
    decisionOn: ({ id }) => (id === 'gap' ? { article: null, by: 'Ada', at: null } : undefined),
    expectedOf: ({ id, answer }) => (id === 'accepted' && answer !== null ? [answer] : []),
  }
  const list = { kind: 'list', title: '', items: [{ text: 'x' }] } as const
  const blocks = [
    { ...list, total: 7, link: { find: 'is:unsupported' } },
    { ...list, total: 1, link: { find: 'is:failed' } },
    { ...list, link: { find: 'is:gap' } },
    { ...list, total: 2, link: { find: 'is:needs-review' } },
  ]
  const desk = storeOf(NO_DESK.store.contents, turns)
  expect(leftIn({ id: 'overview', title: '', blocks }, desk, acts).blocks).toMatchObject([
    { total: 2, done: 5 },
    { total: 1 },
    { done: 1 },
    { total: 1, done: 1 },
  ])
})

test('a report in the workbench names no option of the command line, and no note is left empty', () => {
  const gate = { name: 'grounding', passed: false }
  const blocks = [
    { kind: 'note', tone: 'warn', text: 'Sent differently from the baseline: --repeat 2 (baseline: 1).' },
    { kind: 'gates', gates: [{ ...gate, reason: { text: 'too few: 0 (0.0 %; --min-overlap 50%)' } }] },
  ] as const
  const shown = plainSection({ id: 'overview', title: '', blocks }).blocks
  expect(shown).toEqual([{ kind: 'gates', gates: [{ ...gate, reason: { text: 'too few: 0 (0.0 %)' } }] }])
})

test('articles that contradict each other, facts that nobody rated good, and articles to be found are to do', () => {
  const section = (title: string, text = '') => ({ article: title, title, section: 'VPN', url: null, text })
  const [boats, cats] = [section('Boats'), section('Cats')]
  const doubtful = [
    { kind: 'elsewhere', text: '30 %', start: 0, end: 4, sentence: '', instead: null, at: boats } as const,
  ]
  const answer = heldAnswer({ doubtful })
  const turns = [
    pageTurn({ id: 'fact', articles: answer }),
    pageTurn({ id: 'good', articles: answer }),
    pageTurn({ id: 'accepted', answer: 'Expected.', articles: answer }),
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
      { kind: 'copy', sections: [section('Desk'), section('VPN')] },
    ],
    {
      decidedOn: ({ id }) => decided[id as keyof typeof decided],
      isGood: ({ id }) => id === 'good',
      expectedOf: ({ id }) => (id === 'accepted' ? ['Expected.'] : []),
    },
  )
  expect(toDo.map(({ kind, article, question, text }) => [kind, article?.title, question?.id, text])).toEqual(
    [
      ['mend', 'Boats', 'fact', '30 %; in Boats, perhaps for another matter'],
      ['find', 'Cats', 'gap', ''],
      ['find', 'Cats', 'other', ''],
      ['contradiction', 'Desk', undefined, 'nearly the same text as VPN'],
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
    const page = await openView(browser, workbench, '/run?path=night#find=zebra')
    const other = page.getByLabel('Another article answers it')
    // By keys: the first opens the list, letters look for a title; none acts on the answer.
    await other.focus()
    await page.keyboard.type('wWhere to p', { delay: 20 })
    expect(existsSync(join(folder, 'decisions.csv'))).toBe(false)
    await page.keyboard.press('Enter')
    await page.locator('.done').getByText('The article answers it').waitFor()
    await page.locator('.turn-state').getByText('decided: Where to park your car answers it').waitFor()
    await expect.poll(() => existsSync(join(folder, 'decisions.csv'))).toBe(true)
    expect(readFileSync(join(folder, 'decisions.csv'), 'utf8')).toContain(
      'zebra,Which zebra won the derby?,parking,',
    )
    expect(await other.inputValue()).toBe('parking')
    await page.getByRole('link', { name: 'Articles', exact: true }).click()
    await page.getByText('1 question decided since this report').waitFor()
    await page.goBack()
    await page.keyboard.press('u')
    await expect.poll(async () => other.inputValue()).toBe('')
  })

  test('each act is taken back by one undo, made twice or before another look at the tab, and none of another tab is', async () => {
    const { workbench, decide, folder } = await openDesk()
    const page = await openView(browser, workbench, '/run?path=night#conversations')
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
    const page = await openView(browser, workbench, '/run?path=night#conversations')
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

  test('a note that is being typed is not lost when the page is left', async () => {
    const { workbench, folder } = await openDesk()
    const page = await openView(browser, workbench, '/run?path=night#q=boat')
    await page.locator('.turn[aria-current=true]').waitFor()
    await page.keyboard.press('e')
    await page.keyboard.type('Ask the harbour master')
    await page.reload()
    const saved = async () =>
      existsSync(join(folder, 'night/reviews.csv')) && rowsIn(join(folder, 'night/reviews.csv'))
    await expect.poll(saved).toMatchObject([{ id: 'boat', note: 'Ask the harbour master' }])
  })

  test('a rating of another tab appears, and a stopped server disables ratings with the reason', async () => {
    const { workbench, folder } = await openDesk()
    const { message, answer } = rowsIn(join(folder, 'night/results.csv'))[0] ?? {}
    const page = await openView(browser, workbench, '/run?path=night#q=boat')
    const poor = page.getByRole('button', { name: /^poor/ }).first()
    await poor.waitFor()
    expect(await poor.getAttribute('aria-pressed')).toBe('false')
    await workbench.rate({ run: 'night', id: 'boat', message, answer })
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
    const path = await workbench.make('/api/compare', { baseline: 'before', candidate: 'later' })
    const page = await openView(browser, workbench, `/run?path=${path}#find=is:changed`)
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
