// Makes the recorded runs again. Run it by hand, never from a test, and then record.ts, which writes what is
// expected of them.
//
//   npx tsx test/recorded/make.ts [case..]
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { openAssistant } from '../../src/sandbox/assistant.ts'
import { recordedFolder } from './cases.ts'
import { answers, Recorder, type Reply, type Script, says } from './recorder.ts'

const FAST = { rate: 'unlimited', concurrency: 2 } as const

// ---- Replies

const model = (message: string): Reply => answers({ message, contextSource: 'MODEL' })

const fails = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Reply => {
  const body = { success: false, error: { code, message: `${code} of a test` } }
  return says(status, JSON.stringify(body), { ...headers, 'content-type': 'application/json' })
}

const hangs: Reply = { ending: { kind: 'deadline' } }
const closed = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
const resets: Reply = { ending: { kind: 'failure', error: closed } }
const breaksOff: Reply = { ...resets, status: 200, body: '{"conversationId":"half","mess' }

/** One reply after the other, the last one from then on. */
const inTurn =
  (...replies: readonly Reply[]): Reply =>
  ({ times }) =>
    replies[Math.min(times, replies.length) - 1] ?? ''

/** Every third question has no article. */
const withGaps: Reply = ({ message }) => {
  const number = Number(/\d+/.exec(message)?.[0] ?? 0)
  return number % 3 === 0 ? model('I do not know.') : `It is in article ${number}.`
}

/** Every third call of the first eleven is refused. */
const refusesEveryThird: Reply = ({ number }) => {
  if (number >= 12 || number % 3 !== 2) return answers({})
  const limit = { 'ratelimit-limit': '10', 'ratelimit-remaining': '0', 'ratelimit-reset': '1' }
  return fails(429, 'RATE_LIMITED', { 'retry-after': '1', ...limit })
}

// ---- Question sets

const setOf = (name: string): string[][] =>
  parse(readFileSync(join(recordedFolder, 'sets', `${name}.csv`)), { relax_column_count: true })

/** So many questions, a thread of three now and then. */
const many = (count: number, tags: readonly string[]): string[][] => [
  ['id', 'thread', 'message', 'tags', 'expect_source'],
  ...Array.from({ length: count }, (_, index) => [
    `q-${index + 1}`,
    index % 10 < 3 ? `talk-${Math.floor(index / 10)}` : '',
    `Question ${index + 1}?`,
    tags[index % tags.length] ?? '',
    'KNOWLEDGE_BASE',
  ]),
]

const EXPECTATIONS: Script = {
  'How do I get VPN?': 'Install it from the COMPANY  portal; you need a licence.',
  'And on a phone?': 'That is not supported.',
  'Which port?': 'Use port 8443.',
  'How large may a mail be?': 'The limit is 25 MB.',
  'Who reads my mail?': model('Nobody does.'),
  'How long are mails kept?': 'All mails are kept for ten years in the archive.',
  'How do I archive a mail?': 'Press the button.',
  'May I install software?': model('Yes, just do it.'),
  'Was this wrong once?': inTurn('It was wrong.', 'It is right.'),
  'What does a badge cost?': 'It is "ten euros", a-b.',
  'What is the pipe for?': 'For a|b of course.',
  'Any news?': answers({ contextSource: 'FAQ', message: 'None.' }),
}

const REPEATS: Script = {
  'Half?': inTurn(model('no'), 'yes', model('no'), 'yes'),
  'Mostly?': inTurn('right', 'wrong', 'right', 'right'),
  'Once?': inTurn('wrong', 'wrong', 'right', 'wrong'),
  'Never?': 'wrong',
  'Errs?': inTurn('fine', fails(404, 'GONE'), 'fine', 'fine'),
  'And then?': inTurn('then', 'then', answers({ conversationId: 'another' }), 'then'),
}

const OUTCOME_SCRIPT: Script = {
  ungrounded: model('I think so.'),
  'empty answer': '',
  'bad request': fails(400, 'VALIDATION_FAILED'),
  'not found': fails(404, 'NOT_FOUND'),
  'too large': fails(413, 'TOO_LARGE'),
  moved: says(302, 'elsewhere'),
  'server error': fails(500, 'INTERNAL'),
  'gateway page': says(502, '<html><h1>Bad gateway</h1></html>'),
  hangs,
  reset: resets,
  'breaks off': breaksOff,
  'a page': says(200, '<html>Sign in</html>'),
  'wrong types': answers({ message: 7 }),
  'an array': says(200, '[1, 2]'),
}

/** Id, thread, message, answer, tag. */
const HOSTILE = [
  ['=1+1', '=cmd|calc', '=HYPERLINK("https://evil.example","click")', '=2+3', '+tag'],
  ['esc', '', '\u001B[31mred\u001B[0m and \u0007bell', 'say \u009B2J', '-tag'],
  ['html', '', '<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '<b>'],
  ['::error::id', '@thread', '::error::run this', '::set-output name=a::b', '@tag'],
  ['md', '', '| a | b |', '[link](javascript:alert(1)) `code` **bold**', '|'],
  ['bidi', '', 'right\u202Eto left', 'zero\u200Bwidth\u2066x', 'ü'],
  ['lines', '', 'first\nsecond\r\nthird', 'answer\nwith "quotes", commas; and\ttabs', 'tab'],
  ['null', '', 'nul here', 'nul \u0000 and \uFFFF and \uD83D\uDE00 \uD800', 'n'],
  ['long', '', `long ${'question '.repeat(120)}`, `long ${'answer '.repeat(800)}`, 'l'],
  ['cdata', '', ']]> & <!-- -->', ']]><failure/>', 'x'],
  ['rtl', '', 'שלום', 'مرحبا', 'r'],
] as const

const BASELINE: Script = {
  'Gained?': model('No idea.'),
  'Newly failing?': 'It takes 12 days.',
  'Must pass?': 'It takes 12 hours.',
  'Fixed?': 'It takes a while.',
  'What does it cost?': 'A badge costs €25 and takes 3 days.',
  'When is it due?': 'It is due on 12 March 2026.',
  'Where do I go?': 'Go to https://desk.example.com/badge for it.',
  'When do you open?': 'The desk opens at 8:30 and closes at 17:00.',
  'May I take it home?': 'You may take it home over the weekend.',
  'How do I log in?': 'Open the portal, type your staff number and press Continue.',
  'Anything else?': 'The printers stand in the basement next to the lifts.',
  'Broke before?': fails(500, 'INTERNAL'),
}

const CANDIDATE: Script = {
  ...BASELINE,
  'Lost one?': model('No idea.'),
  'Lost two?': model('No idea either.'),
  'Gained?': 'It is in the handbook.',
  'Newly failing?': 'It takes a while.',
  'Must pass?': 'It takes a while.',
  'Fixed?': 'It takes 12 days.',
  'What does it cost?': 'A badge costs €40 and takes 3 days.',
  'When is it due?': 'It is due on 14 April 2026.',
  'Where do I go?': 'Go to https://desk.example.com/cards for it.',
  'When do you open?': 'The desk opens at 9:15 and closes at 17:00.',
  'May I take it home?': 'You may not take it home over the weekend.',
  'How do I log in?': 'Open the portal, press Continue and type your staff number.',
  'Anything else?': 'Ask your manager for a parking permit form early.',
  'Breaks now?': fails(500, 'INTERNAL'),
  'Broke before?': 'It works again.',
  'Talk two?': answers({ conversationId: 'a-fresh-one' }),
}

// ---- Cases

/** A token bucket of ten, and ten more each second. */
function bucket(): Reply {
  let [tokens, since] = [10, 0]
  return ({ at }) => {
    tokens = Math.min(10, tokens + (at - since) / 100)
    since = at
    if (tokens < 1) return fails(429, 'RATE_LIMITED')
    tokens -= 1
    return 'ok'
  }
}

const runs =
  (set: string[][], options: Parameters<Recorder['run']>[0], script: Script = {}) =>
  async (recorder: Recorder): Promise<void> => {
    recorder.set(set)
    await recorder.run(options, { script })
  }

const loads =
  (options: Parameters<Recorder['load']>[0], session: Parameters<Recorder['load']>[1]) =>
  async (recorder: Recorder): Promise<void> => {
    recorder.set(many(20, ['x', 'y']))
    await recorder.load(options, session)
  }

const CASES: Readonly<Record<string, (recorder: Recorder) => Promise<void>>> = {
  expectations: runs(setOf('expectations'), { ...FAST, confirm: 2 }, EXPECTATIONS),
  repeats: runs(setOf('repeats'), { rate: 'unlimited', concurrency: 1, repeat: 4 }, REPEATS),
  outcomes: runs(setOf('outcomes'), { ...FAST, timeout: '1s' }, OUTCOME_SCRIPT),
  'limited-with-headers': runs(many(24, ['x', 'y']), {}, { default: refusesEveryThird }),
  shards: async (recorder) => {
    recorder.set(many(40, ['x', 'y', 'x;z']))
    const script = {
      default: withGaps,
      'Question 7?': fails(500, 'INTERNAL'),
      'Question 8?': fails(404, 'GONE'),
    }
    for (const index of [1, 2, 3])
      await recorder.run({ ...FAST, shard: `${index}/3`, maxCalls: 200, out: `run-${index}` }, { script })
  },
  reviews: runs(setOf('talks'), FAST),
  // The process died before its first call.
  'nothing-sent': async (recorder) => {
    recorder.set(setOf('talks'))
    await recorder.run(FAST, { killedAt: 1 })
    recorder.damage((lines) => lines.filter((line) => !line.includes('"kind":"intent"')).join('\n'))
  },
  'budget-reached': runs(many(20, ['x', 'y']), { ...FAST, maxCalls: 11 }, { default: withGaps }),
  hostile: runs(
    [
      ['id', 'thread', 'message', 'tags', 'expect_contains', '=own column', 'answer'],
      ...HOSTILE.map(([id, thread, message, , tag], index) => {
        return [id, thread, message, tag, index % 2 === 0 ? '=never said' : '', '@own', 'their own']
      }),
    ],
    FAST,
    {
      ...Object.fromEntries(HOSTILE.map(([, , message, answer]) => [message.trim(), answer])),
      '::error::run this': answers({
        message: '::set-output name=a::b',
        status: '::warning::x',
        contextSource: '=SUM(A1)',
        conversationId: '+conversation',
      }),
      '| a | b |': fails(400, '=CODE("x")|<b>'),
    },
  ),
  'two-thousand': runs(
    many(1000, ['a', 'b', 'c', 'a;d', 'e']),
    { rate: 'unlimited', concurrency: 16, repeat: 2 },
    { default: withGaps },
  ),
  compared: async (recorder) => {
    const pair = setOf('pair')
    recorder.set([...pair, ['removed', '', 'Removed?', '', '', '', '']])
    await recorder.run({ ...FAST, out: 'baseline' }, { script: BASELINE })
    await recorder.run({ ...FAST, out: 'again' }, { script: BASELINE })
    const added = ['added-1,,Added?,,,,', 'added-2,,Added too?,,,,'].map((row) => row.split(','))
    recorder.set([...pair, ...added])
    await recorder.run({ ...FAST, out: 'candidate' }, { script: CANDIDATE })
    const same = Array.from({ length: 12 }, (_, index) => [`Same ${index}?`, model('No idea.')] as const)
    await recorder.run({ ...FAST, out: 'worse' }, { script: { ...CANDIDATE, ...Object.fromEntries(same) } })
  },
  'compared-kinds': async (recorder) => {
    recorder.set(setOf('kinds'))
    const options = { rate: 'unlimited', concurrency: 1, repeat: 3 } as const
    const before: Script = {
      'Flaky?': inTurn('yes', model('no'), 'yes'),
      'Flaky words?': inTurn('right', 'wrong', 'right'),
      'Another source?': model('As always.'),
      'Broke before?': fails(404, 'GONE'),
      'Back again?': answers({ conversationId: 'a-fresh-one' }),
    }
    await recorder.run({ ...options, out: 'baseline' }, { script: before })
    const after: Script = {
      'Flaky?': inTurn(model('no'), 'yes', model('no')),
      'Flaky words?': inTurn('wrong', 'wrong', 'right'),
      'Another source?': answers({ message: 'As always.', contextSource: 'WEB' }),
    }
    await recorder.run({ ...options, out: 'candidate' }, { script: after })
  },
  // Just beyond chance: eight of forty, none gained.
  'compared-single': async (recorder) => {
    const messages = Array.from({ length: 40 }, (_, index) => `One ${index}?`)
    recorder.set([
      ['id', 'message', 'expect_source'],
      ...messages.map((message, index) => [`one-${index}`, message, 'KNOWLEDGE_BASE']),
    ])
    await recorder.run({ ...FAST, out: 'baseline' })
    const lost = Object.fromEntries(messages.slice(3, 11).map((message) => [message, model('No idea.')]))
    await recorder.run({ ...FAST, out: 'candidate' }, { script: lost })
  },
  'compared-slower': async (recorder) => {
    recorder.set(many(90, ['a', 'b']))
    await recorder.run({ ...FAST, out: 'baseline' }, { script: { default: withGaps } })
    const broken: Reply = ({ message }) => (message.endsWith('5?') ? fails(500, 'INTERNAL') : withGaps)
    await recorder.run({ ...FAST, out: 'candidate' }, { script: { default: broken }, ms: 300 })
  },
  // The questions of the quick start that own.csv is about, before and after an edit of its articles.
  articles: async (recorder) => {
    const read = (path: string): Record<string, string>[] =>
      parse(readFileSync(path, 'utf8'), { columns: true })
    const questions = read(join(recordedFolder, '../../datasets/quickstart.csv'))
    const ids = read(join(recordedFolder, 'articles/own.csv')).map(({ id }) => id)
    const isOfOthers = ({ article = '' }): boolean => article !== '' && !ids.includes(article)
    const others = questions.filter(isOfOthers).map(({ thread }) => thread)
    const chosen = questions.filter(({ thread }) => !others.includes(thread))
    recorder.set([Object.keys(questions[0] ?? {}), ...chosen.map((question) => Object.values(question))])
    for (const [out, articles] of [
      ['run', 'own.csv'],
      ['after', 'own2.csv'],
    ] as const) {
      cpSync(join(recordedFolder, 'articles', articles), articles)
      const assistant = await openAssistant(articles, () => undefined)
      const turns = new Map<string, { message: string; article: string | null }[]>()
      const answer: Reply = ({ message, number, conversationId = `conversation-${number}` }) => {
        const earlier = turns.get(conversationId) ?? []
        const { article, section, message: said } = assistant(message, earlier)
        turns.set(conversationId, [...earlier, { message, article }])
        // A value that the article of the first night does not have.
        const fields = { conversationId, message: said.replace('30 minutes', '35 minutes') }
        if (article === null) return answers({ ...fields, contextSource: 'MODEL' })
        return answers({ ...fields, sandboxArticle: `${article} / ${section}` })
      }
      await recorder.run({ ...FAST, articles, out }, { script: { default: answer } })
    }
  },
  load: loads({ arrivalRate: '20/s', duration: '2s' }, { script: { default: withGaps }, ms: 30 }),
  'load-refused': loads(
    { stages: '1s:20/s,1s:20/s', maxInFlight: 4, timeout: '1s' },
    {
      script: {
        default: ({ number }) =>
          number % 7 === 3 ? fails(429, 'RATE_LIMITED', { 'retry-after': '1' }) : 'It is so.',
        'Question 9?': hangs,
        'Question 12?': fails(500, 'INTERNAL'),
        'Question 14?': says(200, 'no JSON'),
      },
      ms: 60,
    },
  ),
  'load-killed': loads(
    { arrivalRate: '20/s', duration: '2s' },
    { script: { default: withGaps, 'Question 5?': hangs, 'Question 8?': hangs }, ms: 20, killedAt: 16 },
  ),
  limit: async (recorder) => {
    recorder.set(many(20, ['x']))
    await recorder.load({ findLimit: true, maxCalls: 150 }, { script: { default: bucket() }, ms: 1 })
  },
}

const names = process.argv.slice(2)
for (const [name, make] of Object.entries(CASES)) {
  if (names.length > 0 && !names.includes(name)) continue
  const scratch = mkdtempSync(join(tmpdir(), 'recording-'))
  process.chdir(scratch)
  const recorder = new Recorder()
  await make(recorder)
  recorder.keep(name)
  process.chdir(recordedFolder)
  rmSync(scratch, { recursive: true })
  console.log(`made ${name}`)
}
