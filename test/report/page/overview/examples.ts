// Runs whose overview is kept as golden files: an ordinary night, an empty run, a single question, one that was interrupted.
import { latencyHistogram } from '../../../../src/analysis/latency/gather.ts'
import type { Summary, SummaryDetails } from '../../../../src/domain/summary.ts'
import type { RunExtras } from '../../../../src/report/page/overview/run.ts'
import { countTurns, makeCounts } from '../../../support/question-counts.ts'
import { makeQuestion } from '../../../support/questions.ts'
import { makeSummary, noDetails } from '../../../support/summaries.ts'
import { makeReply, makeTurn } from '../../../support/turns.ts'
import { nightThatGotWorse } from '../../example-comparisons.ts'

interface ExampleRun {
  readonly summary: Summary
  readonly details: SummaryDetails
  readonly extras?: RunExtras
}

const TAGS = ['access', 'vpn', 'billing', 'hardware'] as const

const turns = Array.from({ length: 205 }, (_, place) => {
  const question = makeQuestion(`q${place}`, `t${Math.floor(place / 2)}`, 1 + (place % 2), {
    tags: [TAGS[place % TAGS.length] ?? 'access'],
  })
  const isGrounded = place % 6 !== 0 || place % 4 === 1
  return makeTurn({
    question,
    result: makeReply(isGrounded ? 'KNOWLEDGE_BASE' : place % 12 === 0 ? 'MODEL' : 'TICKETS'),
    serviceMs: 200 + ((place * 137) % 1900),
    waitMs: place % 5 === 0 ? 400 : 0,
  })
})
const timedOut = makeTurn({
  question: makeQuestion('mail-size', 'mail', 1, { tags: ['billing'] }),
  outcome: 'timeout',
  result: { kind: 'timeout', message: 'no answer within 120 s' },
  serviceMs: 120_000,
})

const wrong = {
  id: 'warranty',
  message: 'How long is the warranty on a laptop?',
  sentences: ["does not contain '14 days'"],
}

export const ordinaryNight: ExampleRun = {
  summary: makeSummary([...turns, timedOut], {
    verdict: 'failed',
    exitCode: 1,
    reason: '3 questions failed their expectations',
    expectations: { rate: 177 / 180, passed: 177, failed: 3, none: 25, notGraded: 1 },
    thresholds: [
      {
        expression: 'coverage>=0.8',
        metric: 'coverage',
        value: 0.8390243,
        passed: true,
        reason: 'coverage is 83.9%',
      },
      {
        expression: 'passed[vpn]>=1',
        metric: 'passed',
        tag: 'vpn',
        value: null,
        passed: false,
        reason: 'nothing to judge',
      },
    ],
    mustPass: [
      {
        id: 'vpn-setup',
        reason: "does not contain 'VPN profile'",
        graded: true,
      },
    ],
    reviews: { reviewed: 194, good: 170, acceptable: 20, poor: 4, changed: 9, new: 2 },
    warnings: ['2 answers carry a status other than success'],
    pacing: {
      rate429: 5 / 211,
      rateLimited: 5,
      finding: null,
      limit: {
        kind: 'rate',
        perSecond: 6,
        windowMs: null,
        burst: 12,
        atOnce: null,
        episodes: 2,
        refusals: 5,
      },
      changes: [
        { at: '2026-11-21T12:00:00.000Z', pace: 4, cause: 'start' },
        { at: '2026-11-21T12:00:20.000Z', pace: 8, cause: 'nothing refused: faster' },
        {
          at: '2026-11-21T12:01:00.000Z',
          pace: 8,
          pausedUntil: '2026-11-21T12:01:09.000Z',
          cause: '429, Retry-After 9 s',
        },
        { at: '2026-11-21T12:01:09.000Z', pace: 6, cause: 'set to what was admitted' },
      ],
      calls: {
        from: '2026-11-21T12:00:00.000Z',
        binMs: 30_000,
        taken: [4, 5, 0, 3],
        refused: [0, 1, 1, 0],
        failed: [0, 0, 0, 1],
      },
      changesLeftOut: 0,
    },
  }),
  details: {
    counts: countTurns([...turns, timedOut], {
      judged: 180,
      failed: 3,
      wrong: 1,
      gaps: 7,
      clustered: 7,
      uncovered: 28,
      flaky: 1,
    }),
    failures: [
      {
        id: 'vpn-setup',
        message: 'How do I set up the VPN?',
        sentences: ["does not contain 'VPN profile'", 'was MODEL, expected KNOWLEDGE_BASE'],
      },
      wrong,
      { id: 'pay', message: 'متى يتم دفع الرواتب؟', sentences: ["does not contain '25th'"] },
    ],
    wrong: [wrong],
    errors: [
      {
        id: 'mail-size',
        message: 'How large may an attachment be?',
        what: 'timeout: no answer within 120 s',
      },
    ],
    gaps: [
      {
        name: 'parking, badge',
        weight: 6,
        questions: ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'].map((id) => ({
          id,
          message: `Where may ${id} park?`,
          weight: 1,
          tags: [],
        })),
      },
      {
        name: '“Is there a gym?”',
        weight: 1,
        questions: [{ id: 'gym', message: 'Is there a gym?', weight: 1, tags: [] }],
      },
    ],
    flaky: [
      {
        id: 'lunch',
        asked: 3,
        answered: 3,
        passRate: 2 / 3,
        groundingRate: 1,
        passFlaky: true,
        groundFlaky: false,
        answersDiffer: true,
        agreement: 0.7,
      },
    ],
    awaited: [
      { id: 'q3', message: 'How do I unlock my account?', before: 'good', note: 'ask Ann' },
      { id: 'q9', message: 'Who pays for a taxi?', before: undefined, note: '' },
    ],
  },
  extras: {
    latency: latencyHistogram(turns.flatMap(({ serviceMs }) => serviceMs ?? [])),
    slowest: [{ id: 'q14', message: 'message of q14', latencyMs: 2098 }],
    comparison: nightThatGotWorse,
  },
}

export const nothingAsked: ExampleRun = {
  summary: makeSummary([]),
  details: { ...noDetails, counts: makeCounts({ questions: 1, notAsked: 1 }) },
}

const only = [makeTurn({ question: makeQuestion('only', 'only', 1) })]

export const oneQuestion: ExampleRun = {
  summary: makeSummary(only),
  details: { ...noDetails, counts: countTurns(only) },
}

/** Three refused, two of their conversations not asked further, four never reached. */
const unanswered = Array.from({ length: 9 }, (_, place) => {
  const silent = { result: undefined, serviceMs: undefined }
  const question = makeQuestion(`q${place}`, `t${place % 3}`, 1 + Math.floor(place / 3))
  if (place >= 5) return makeTurn({ question, ...silent, outcome: undefined })
  if (place >= 3) return makeTurn({ question, ...silent, outcome: 'skipped' })
  return makeTurn({
    question,
    outcome: 'network_error',
    result: { kind: 'network', code: 'ECONNREFUSED', message: 'refused', sent: false },
    serviceMs: undefined,
  })
})

export const nothingAnswered: ExampleRun = {
  summary: makeSummary(unanswered, {
    state: 'incomplete',
    verdict: 'incomplete',
    exitCode: 1,
    reason: '3 turns ended in errors',
  }),
  details: { ...noDetails, counts: countTurns(unanswered) },
}

const halfDone = [
  ...turns.slice(0, 30),
  ...[1, 2].map((place) =>
    makeTurn({
      question: makeQuestion(`n${place}`, `n${place}`, 1),
      outcome: undefined,
      result: undefined,
      serviceMs: undefined,
    }),
  ),
]

export const interrupted: ExampleRun = {
  summary: makeSummary(halfDone, {
    state: 'interrupted',
    verdict: 'incomplete',
    exitCode: 130,
    reason: 'the run was interrupted; 2 turns have no outcome',
  }),
  details: { ...noDetails, counts: countTurns(halfDone) },
}

/** Each of 30,000 questions asked twice: more gaps than are grouped, and an endpoint without a limit. */
export const twice: ExampleRun = {
  summary: makeSummary(turns.slice(0, 20), {
    coverage: {
      ...ordinaryNight.summary.coverage,
      rate: 0.25,
      grounded: 15_000,
      answered: 60_000,
      questions: 30_000,
      low: 0.24,
      high: 0.26,
      cluster: null,
      few: false,
    },
    pacing: {
      rate429: 0,
      rateLimited: 0,
      limit: null,
      finding: null,
      changes: [{ at: '2026-11-21T12:00:00.000Z', pace: null, cause: 'start' }],
      calls: {
        from: '2026-11-21T12:00:00.000Z',
        binMs: 1000,
        taken: [30_000, 30_000],
        refused: [0, 0],
        failed: [0, 0],
      },
      changesLeftOut: 0,
    },
    errors: {
      rate: 0.0001,
      errors: 12,
      asked: 60_000,
      byOutcome: { server_error: 9, malformed: 3 },
      byHttpStatus: { '503': 9, '200': 3 },
      byCode: { none: 12 },
    },
  }),
  details: {
    ...noDetails,
    counts: {
      questions: 30_000,
      repeats: 2,
      judged: 20_000,
      failed: 82,
      forgiven: 3,
      wrong: 1,
      errors: 7,
      skipped: 9,
      notAsked: 0,
      gaps: 22_500,
      clustered: 20_000,
      uncovered: 33,
      flaky: 1200,
    },
    failures: [
      {
        id: 'warranty',
        message: 'How long is the warranty?',
        sentences: [
          'failed 1 of 2 times',
          "does not contain 'a'; the answer was 'Two years.'",
          "does not contain 'b'; the answer was 'Two years.'",
          "does not contain 'c'; the answer was 'Two years.'",
        ],
      },
    ],
    gaps: ordinaryNight.details.gaps,
  },
}
