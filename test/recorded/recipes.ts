// How each run of this folder was recorded: a question set, arguments, an endpoint's script, and what befell the process.
import { writeFileSync } from 'node:fs'
import { breaksOff, fails, hangs, inTurn, model, resets, says, type Reply, type Script } from './desk.ts'
import type { Recorder } from './recorder.ts'

/** Returns files of the case that are kept beside the run folders. */
type Recipe = (recorder: Recorder) => Promise<readonly string[] | void>

const FAST = ['--rate', 'unlimited', '--concurrency', '2']

const EXPECTING = [
  'id,thread,turn,message,tags,expect_source,expect_contains,expect_not_contains,expect_regex,expect_answer,min_similarity,max_latency_ms,must_pass,owner',
  'vpn-1,vpn,1,How do I get VPN?,vpn;network,KNOWLEDGE_BASE,Company Portal|licence,,,,,,yes,ann',
  'vpn-2,vpn,2,And on a phone?,vpn,KNOWLEDGE_BASE,,not supported,,,,,,ann',
  'vpn-3,vpn,3,Which port?,vpn,,,,port \\d+,,,,,bob',
  'mail-1,,,How large may a mail be?,email,KNOWLEDGE_BASE,25 MB,50 MB,^the limit,,,,,bob',
  'mail-2,,,Who reads my mail?,email,!MODEL,nobody,,,,,,,',
  'mail-3,,,How long are mails kept?,email,,,,,Mails are kept for ten years,,,,',
  'mail-4,,,How do I archive a mail?,email,,,,,Drag the mail into the folder named Archive,0.9,,,',
  'slow-1,,,Is this fast?,speed,,,,,,,1,,',
  'slow-2,,,Is this fast enough?,speed,,,,,,,60000,,',
  'must-1,,,May I install software?,software,KNOWLEDGE_BASE,ask the desk,,,,,,x,',
  'fold-1,,,What does a badge cost?,badge,,“ten euros”|a–b,,,,,,,',
  'fold-2,,,What is the pipe for?,badge,,a\\|b,,,,,,,',
  'none-1,,,Good morning,,,,,,,,,,',
  'none-2,,,Any news?,,FAQ,,,,,,,,',
]

const table = (lines: readonly string[]): string[][] => lines.map((line) => line.split(','))

/** So many questions, a thread of three now and then. */
function many(count: number, tags: readonly string[]): string[][] {
  const rows = Array.from({ length: count }, (_, index) => {
    const thread = index % 10 < 3 ? `talk-${Math.floor(index / 10)}` : ''
    return [
      `q-${index + 1}`,
      thread,
      `Question ${index + 1}?`,
      tags[index % tags.length] ?? '',
      'KNOWLEDGE_BASE',
    ]
  })
  return [['id', 'thread', 'message', 'tags', 'expect_source'], ...rows]
}

/** Every third question has no article. */
const withGaps: Reply = ({ call }) => {
  const number = Number(/\d+/.exec(call.body.message)?.[0] ?? 0)
  return number % 3 === 0 ? model('I do not know.') : `It is in article ${number}.`
}

/** Every third call of those that come first is refused. */
const refusesEveryThird =
  (code: string, headers: Readonly<Record<string, string>>, until: number): Reply =>
  ({ call }) =>
    call.number < until && call.number % 3 === 2
      ? fails(429, code, headers)
      : `answer to: ${call.body.message}`

const TALKS = [
  ['id', 'thread', 'message', 'expect_source', 'expect_contains'],
  ['a-1', 'a', 'A one?', 'KNOWLEDGE_BASE', 'answer'],
  ['a-2', 'a', 'A two?', 'KNOWLEDGE_BASE', 'answer'],
  ['a-3', 'a', 'A three?', 'KNOWLEDGE_BASE', ''],
  ['a-4', 'a', 'A four?', '', ''],
  ['b-1', 'b', 'B one?', '', 'answer'],
  ['b-2', 'b', 'B two?', 'KNOWLEDGE_BASE', ''],
  ['c-1', '', 'C?', '', 'nothing like it'],
  ['d-1', '', 'D?', 'KNOWLEDGE_BASE', ''],
]

const OUTCOMES = [
  ['id', 'thread', 'message', 'tags', 'expect_source'],
  ['good-1', '', 'good', 'good', 'KNOWLEDGE_BASE'],
  ['good-2', '', 'ungrounded', 'good', 'KNOWLEDGE_BASE'],
  ['empty', '', 'empty answer', 'good', ''],
  ['bad-request', 'refused', 'bad request', 'refused', 'KNOWLEDGE_BASE'],
  ['after-bad', 'refused', 'after a refusal', 'refused', 'KNOWLEDGE_BASE'],
  ['missing', '', 'not found', 'refused', ''],
  ['too-large', '', 'too large', 'refused', ''],
  ['moved', '', 'moved', 'refused', ''],
  ['broken', 'server', 'server error', 'server', 'KNOWLEDGE_BASE'],
  ['after-broken', 'server', 'after a server error', 'server', 'KNOWLEDGE_BASE'],
  ['gateway', '', 'gateway page', 'server', ''],
  ['hangs', '', 'hangs', 'network', ''],
  ['reset', '', 'reset', 'network', 'KNOWLEDGE_BASE'],
  ['half', '', 'breaks off', 'network', ''],
  ['html', '', 'a page', 'malformed', ''],
  ['types', '', 'wrong types', 'malformed', 'KNOWLEDGE_BASE'],
  ['array', '', 'an array', 'malformed', ''],
]

const OUTCOME_SCRIPT: Readonly<Record<string, Reply>> = {
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
  'wrong types': { message: 7 },
  'an array': says(200, '[1, 2]', 'application/json'),
}

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
]

const PAIR = [
  ['id', 'thread', 'message', 'tags', 'expect_source', 'expect_contains', 'must_pass'],
  ...Array.from({ length: 12 }, (_, index) => [
    `same-${index}`,
    '',
    `Same ${index}?`,
    'same',
    'KNOWLEDGE_BASE',
    '',
    '',
  ]),
  ['lost-1', '', 'Lost one?', 'vpn', '', '', ''],
  ['lost-2', '', 'Lost two?', 'vpn', 'KNOWLEDGE_BASE', '', ''],
  ['gained', '', 'Gained?', 'vpn', '', '', ''],
  ['newly', '', 'Newly failing?', 'mail', '', '12', ''],
  ['must', '', 'Must pass?', 'mail', '', '12', 'yes'],
  ['fixed', '', 'Fixed?', 'mail', '', '12', ''],
  ['both', '', 'Fails in both?', 'mail', '', 'never', ''],
  ['amount', '', 'What does it cost?', 'facts', '', '', ''],
  ['date', '', 'When is it due?', 'facts', '', '', ''],
  ['address', '', 'Where do I go?', 'facts', '', '', ''],
  ['time', '', 'When do you open?', 'facts', '', '', ''],
  ['negation', '', 'May I take it home?', 'facts', '', '', ''],
  ['reworded', '', 'How do I log in?', 'words', '', '', ''],
  ['other', '', 'Anything else?', 'words', '', '', ''],
  ['to-error', 'errors', 'Breaks now?', 'errors', '', '', ''],
  ['to-skipped', 'errors', 'After it?', 'errors', '', '', ''],
  ['from-error', '', 'Broke before?', 'errors', '', '', ''],
  ['talk-1', 'talk', 'Talk one?', '', '', '', ''],
  ['talk-2', 'talk', 'Talk two?', '', '', '', ''],
]

const BASELINE: Readonly<Record<string, Reply>> = {
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

const CANDIDATE: Readonly<Record<string, Reply>> = {
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
  'Talk two?': { conversationId: 'a-fresh-one' },
}

export const RECIPES: Readonly<Record<string, Recipe>> = {
  expectations: async (recorder) => {
    recorder.set(table(EXPECTING))
    await recorder.run({
      words: FAST,
      script: {
        'How do I get VPN?': 'Install it from the COMPANY  portal; you need a licence.',
        'And on a phone?': 'That is not supported.',
        'Which port?': 'Use port 8443.',
        'How large may a mail be?': 'The limit is 25 MB.',
        'Who reads my mail?': model('Nobody does.'),
        'How long are mails kept?': 'All mails are kept for ten years in the archive.',
        'How do I archive a mail?': 'Press the button.',
        'May I install software?': model('Yes, just do it.'),
        'What does a badge cost?': 'It is "ten euros", a-b.',
        'What is the pipe for?': 'For a|b of course.',
        'Any news?': { contextSource: 'FAQ', message: 'None.' },
      },
    })
  },
  repeats: async (recorder) => {
    recorder.set([
      ['id', 'thread', 'message', 'tags', 'expect_source', 'expect_contains', 'must_pass'],
      ['steady', '', 'Steady?', 'calm', 'KNOWLEDGE_BASE', '', 'yes'],
      ['half', '', 'Half?', 'flaky', 'KNOWLEDGE_BASE', '', ''],
      ['mostly', '', 'Mostly?', 'flaky', '', 'right', 'yes'],
      ['once', '', 'Once?', 'flaky', '', 'right', ''],
      ['never', '', 'Never?', 'calm', '', 'right', ''],
      ['errs', '', 'Errs?', 'flaky', 'KNOWLEDGE_BASE', '', ''],
      ['talk-1', 'talk', 'Talk?', 'calm', '', '', ''],
      ['talk-2', 'talk', 'And then?', 'calm', 'KNOWLEDGE_BASE', '', ''],
    ])
    await recorder.run({
      words: ['--rate', 'unlimited', '--concurrency', '1', '--repeat', '4'],
      script: {
        'Half?': inTurn(model('no'), 'yes', model('no'), 'yes'),
        'Mostly?': inTurn('right', 'wrong', 'right', 'right'),
        'Once?': inTurn('wrong', 'wrong', 'right', 'wrong'),
        'Never?': 'wrong',
        'Errs?': inTurn('fine', fails(404, 'GONE'), 'fine', 'fine'),
        'And then?': inTurn('then', 'then', { conversationId: 'another' }, 'then'),
      },
    })
  },
  outcomes: async (recorder) => {
    recorder.set(OUTCOMES)
    await recorder.run({ words: [...FAST, '--timeout', '1s'], script: OUTCOME_SCRIPT })
  },
  'ambiguous-fail': async (recorder) => {
    recorder.set(OUTCOMES)
    await recorder.run({
      words: [...FAST, '--timeout', '1s', '--on-ambiguous', 'fail'],
      script: OUTCOME_SCRIPT,
    })
  },
  'lost-context': async (recorder) => {
    recorder.set(TALKS)
    await recorder.run({
      words: FAST,
      script: { 'A three?': { conversationId: 'fresh', contextSource: 'MODEL' } },
    })
  },
  'rotating-ids': async (recorder) => {
    recorder.set(TALKS)
    const script: Reply = ({ call }) => ({ conversationId: `rotated-${call.number}` })
    await recorder.run({ words: [...FAST, '--rotating-ids'], script: { default: script } })
  },
  restarts: async (recorder) => {
    recorder.set(TALKS)
    await recorder.run({
      words: [...FAST, '--timeout', '1s'],
      script: {
        'A three?': inTurn(fails(503, 'BUSY'), 'answer at last'),
        'B two?': inTurn(hangs, resets),
        'C?': inTurn(breaksOff, 'whole'),
      },
    })
  },
  'limited-with-headers': async (recorder) => {
    recorder.set(many(24, ['x', 'y']))
    const headers = {
      'retry-after': '1',
      'ratelimit-limit': '10',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '1',
    }
    await recorder.run({ script: { default: refusesEveryThird('RATE_LIMITED', headers, 12) } })
  },
  'limited-without-headers': async (recorder) => {
    recorder.set(many(24, ['x', 'y']))
    await recorder.run({ script: { default: refusesEveryThird('SLOW_DOWN', {}, 12) } })
  },
  'killed-and-resumed': async (recorder) => {
    recorder.set(many(30, ['x', 'y', 'x;y']))
    await recorder.run({
      words: FAST,
      script: { default: withGaps, 'Question 12?': hangs },
      during: async (running, desk) => {
        await desk.called(16)
        running.signal('SIGKILL')
      },
    })
    await recorder.resume({ script: { default: withGaps } })
  },
  killed: async (recorder) => {
    recorder.set(many(20, ['x', 'y']))
    await recorder.run({
      words: FAST,
      script: { default: withGaps, 'Question 12?': hangs, 'Question 13?': hangs },
      during: async (running, desk) => {
        await desk.called(13)
        await new Promise((settle) => {
          setTimeout(settle, 300)
        })
        running.signal('SIGKILL')
      },
    })
  },
  'torn-line': async (recorder) => {
    recorder.set(many(20, ['x', 'y']))
    await recorder.run({ words: FAST, script: { default: withGaps } })
    recorder.damage((lines) => {
      const whole = lines.slice(0, -12)
      return `${whole.join('\n')}\n${(lines.at(-12) ?? '').slice(0, 60)}`
    })
  },
  'errors-retried': async (recorder) => {
    recorder.set(TALKS)
    await recorder.run({ words: FAST, script: { 'A two?': fails(404, 'GONE'), 'C?': fails(400, 'BAD') } })
    await recorder.resume({ words: ['--retry-errors'], script: { 'C?': fails(400, 'STILL_BAD') } })
  },
  shards: async (recorder) => {
    recorder.set(many(40, ['x', 'y', 'x;z']))
    for (const shard of [1, 2, 3]) {
      const script = {
        default: withGaps,
        'Question 7?': fails(500, 'INTERNAL'),
        'Question 8?': fails(404, 'GONE'),
      }
      await recorder.run({
        words: [...FAST, '--shard', `${shard}/3`, '--max-calls', '200'],
        out: `run-${shard}`,
        script,
      })
    }
  },
  reviews: async (recorder) => {
    recorder.set(TALKS)
    await recorder.run({ words: FAST })
    const rows = [
      'id,answer,review,note',
      'a-1,answer to: A one?,good,checked',
      'a-2,ANSWER  to: a two?,acceptable,',
      'a-3,something else altogether,poor,"old, and wrong"',
      'b-1,answer to: B one?,poor,=danger',
    ]
    writeFileSync(recorder.path('reviews.csv'), `${rows.join('\n')}\n`)
    return ['reviews.csv']
  },
  'nothing-sent': async (recorder) => {
    recorder.set(TALKS)
    await recorder.run({
      words: FAST,
      script: { default: hangs },
      during: async (running, desk) => {
        await desk.called(1)
        running.signal('SIGKILL')
      },
    })
    recorder.damage((lines) =>
      lines.filter((line) => !/"kind":"(intent|result|outcome)"/.test(line)).join('\n'),
    )
  },
  'nothing-answered': async (recorder) => {
    recorder.set(TALKS)
    await recorder.run({ words: FAST, script: { default: fails(400, 'NOT_TODAY') } })
  },
  unreachable: async (recorder) => {
    recorder.set(TALKS)
    const words = [
      'run',
      'set.csv',
      '--out',
      'run',
      '--base-url',
      'http://127.0.0.1:9',
      '--give-up-after',
      '1s',
    ]
    await recorder.bare(words)
  },
  'key-rejected': async (recorder) => {
    recorder.set(TALKS)
    await recorder.run({ words: FAST, script: { 'B two?': fails(401, 'INVALID_KEY') }, delayMs: 20 })
  },
  'budget-reached': async (recorder) => {
    recorder.set(many(20, ['x', 'y']))
    await recorder.run({ words: [...FAST, '--max-calls', '11'], script: { default: withGaps } })
  },
  interrupted: async (recorder) => {
    recorder.set(many(20, ['x', 'y']))
    await recorder.run({
      words: FAST,
      delayMs: 40,
      script: { default: withGaps },
      during: async (running, desk) => {
        await desk.called(9)
        running.signal('SIGINT')
      },
    })
  },
  hostile: async (recorder) => {
    recorder.set([
      ['id', 'thread', 'message', 'tags', 'expect_contains', '=own column', 'answer'],
      ...HOSTILE.map(([id = '', thread = '', message = '', , tag = ''], index) => [
        id,
        thread,
        message,
        tag,
        index % 2 === 0 ? '=never said' : '',
        '@own',
        'their own',
      ]),
    ])
    const answers = Object.fromEntries(
      HOSTILE.map(([, , message = '', answer = '']) => [message.trim(), answer]),
    )
    await recorder.run({
      words: FAST,
      script: {
        ...answers,
        '::error::run this': {
          message: '::set-output name=a::b',
          status: '::warning::x',
          contextSource: '=SUM(A1)',
          conversationId: '+conversation',
        },
        '| a | b |': fails(400, '=CODE("x")|<b>'),
      },
    })
  },
  'unknown-values': async (recorder) => {
    recorder.set(TALKS)
    await recorder.run({
      words: FAST,
      script: {
        'A one?': { status: 'degraded' },
        'A two?': { status: 'error', contextSource: 'WEB_SEARCH', extra: { nested: [1, 2] } },
        'A three?': { contextSource: '' },
        'B one?': { status: '', contextSource: 'knowledge_base' },
        'C?': { contextSource: '__proto__', status: 'constructor' },
        'D?': { contextSource: 'FAQ' },
      },
    })
  },
  'two-thousand': async (recorder) => {
    recorder.set(many(1000, ['a', 'b', 'c', 'a;d', 'e']))
    await recorder.run({
      words: ['--rate', 'unlimited', '--concurrency', '16', '--repeat', '2'],
      script: { default: withGaps },
      delayMs: 1,
    })
  },
  compared: async (recorder) => {
    recorder.set([...PAIR, ['removed', '', 'Removed?', '', '', '', '']])
    await recorder.run({ words: FAST, out: 'baseline', script: BASELINE })
    await recorder.run({ words: FAST, out: 'again', script: BASELINE })
    recorder.set([
      ...PAIR,
      ['added-1', '', 'Added?', '', '', '', ''],
      ['added-2', '', 'Added, too?', '', '', '', ''],
    ])
    await recorder.run({ words: FAST, out: 'candidate', script: CANDIDATE })
    const gone = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`Same ${index}?`, model('No idea.')]),
    )
    await recorder.run({ words: FAST, out: 'worse', script: { ...CANDIDATE, ...gone } })
  },
  'compared-kinds': async (recorder) => {
    recorder.set([
      ['id', 'thread', 'message', 'tags', 'expect_source', 'expect_contains'],
      ['flaky', '', 'Flaky?', 'a', 'KNOWLEDGE_BASE', ''],
      ['flaky-words', '', 'Flaky words?', 'a', '', 'right'],
      ['source', '', 'Another source?', 'b', '', ''],
      ['broke', 'errors', 'Broke before?', 'b', '', ''],
      ['skipped', 'errors', 'And after it?', 'b', '', ''],
      ['back-1', 'back', 'Back?', 'c', '', ''],
      ['back-2', 'back', 'Back again?', 'c', 'KNOWLEDGE_BASE', ''],
      ['calm', '', 'Calm?', 'c', 'KNOWLEDGE_BASE', ''],
    ])
    const flaky: Script = {
      'Flaky?': inTurn('yes', model('no'), 'yes', model('no')),
      'Flaky words?': inTurn('right', 'wrong', 'right', 'wrong'),
    }
    const words = ['--rate', 'unlimited', '--concurrency', '1', '--repeat', '3']
    await recorder.run({
      words,
      out: 'baseline',
      script: {
        ...flaky,
        'Another source?': model('As always.'),
        'Broke before?': fails(404, 'GONE'),
        'Back again?': { conversationId: 'a-fresh-one' },
      },
    })
    const source = { message: 'As always.', contextSource: 'WEB' }
    const otherwise: Script = {
      'Flaky?': inTurn(model('no'), 'yes', model('no')),
      'Flaky words?': inTurn('wrong', 'wrong', 'right'),
      'Another source?': source,
    }
    await recorder.run({ words, out: 'candidate', script: otherwise })
  },
  'compared-single': async (recorder) => {
    const rows = Array.from({ length: 40 }, (_, index) => [`one-${index}`, `One ${index}?`, 'KNOWLEDGE_BASE'])
    recorder.set([['id', 'message', 'expect_source'], ...rows])
    await recorder.run({ words: FAST, out: 'baseline' })
    // Just beyond chance: eight of forty, none gained.
    const lost = Object.fromEntries(rows.slice(3, 11).map(([, message = '']) => [message, model('No idea.')]))
    await recorder.run({ words: FAST, out: 'candidate', script: lost })
  },
  'compared-slower': async (recorder) => {
    recorder.set(many(90, ['a', 'b']))
    await recorder.run({ words: FAST, out: 'baseline', script: { default: withGaps } })
    const broken: Reply = ({ call }) => (/[5]\?$/.test(call.body.message) ? fails(500, 'INTERNAL') : withGaps)
    await recorder.run({ words: FAST, out: 'candidate', script: { default: broken }, delayMs: 300 })
  },
  'load-killed': async (recorder) => {
    recorder.set(many(20, ['x', 'y']))
    await recorder.load({
      words: ['--arrival-rate', '20/s', '--duration', '2s'],
      script: { default: withGaps, 'Question 5?': hangs, 'Question 8?': hangs },
      delayMs: 20,
      during: async (running, desk) => {
        await desk.called(16)
        running.signal('SIGKILL')
      },
    })
    return ['set.csv']
  },
  'load-closed': async (recorder) => {
    recorder.set(many(20, ['x', 'y']))
    const words = ['--closed', '3', '--think-time', '50ms', '--duration', '2s']
    await recorder.load({ words, script: { default: withGaps }, delayMs: 40 })
    return ['set.csv']
  },
  'limit-window': async (recorder) => {
    recorder.set(many(20, ['x']))
    let [count, opened] = [0, 0]
    const fixedWindow: Reply = () => {
      const current = Math.floor(Date.now() / 2000)
      if (current !== opened) [count, opened] = [0, current]
      count += 1
      return count > 20 ? fails(429, 'RATE_LIMITED') : 'ok'
    }
    await recorder.load({
      words: ['--find-limit', '--max-calls', '160'],
      script: { default: fixedWindow },
      delayMs: 1,
    })
    return ['set.csv']
  },
  'limit-unmet': async (recorder) => {
    recorder.set(many(20, ['x']))
    await recorder.load({
      words: ['--find-limit', '--max-calls', '60'],
      script: { default: 'ok' },
      delayMs: 1,
    })
    return ['set.csv']
  },
  load: async (recorder) => {
    recorder.set(many(20, ['x', 'y']))
    await recorder.load({
      words: ['--arrival-rate', '20/s', '--duration', '2s'],
      script: { default: withGaps },
      delayMs: 30,
    })
    return ['set.csv']
  },
  'load-refused': async (recorder) => {
    recorder.set(many(20, ['x', 'y']))
    await recorder.load({
      words: ['--stage', '1s:20/s', '--stage', '1s:20/s', '--max-in-flight', '4', '--timeout', '1s'],
      script: {
        default: ({ call }) =>
          call.number % 7 === 3
            ? fails(429, 'RATE_LIMITED', { 'retry-after': '1' })
            : `answer ${call.number}`,
        'Question 5?': fails(500, 'INTERNAL'),
        'Question 9?': hangs,
        'Question 14?': says(200, 'no JSON'),
      },
      delayMs: 60,
    })
    return ['set.csv']
  },
  limit: async (recorder) => {
    recorder.set(many(20, ['x']))
    let [tokens, since] = [10, Date.now()]
    const bucket: Reply = () => {
      const now = Date.now()
      tokens = Math.min(10, tokens + (now - since) / 100)
      since = now
      if (tokens < 1) return fails(429, 'RATE_LIMITED')
      tokens -= 1
      return 'ok'
    }
    await recorder.load({
      words: ['--find-limit', '--max-calls', '150'],
      script: { default: bucket },
      delayMs: 1,
    })
    return ['set.csv']
  },
}
