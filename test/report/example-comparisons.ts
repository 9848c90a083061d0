// The comparisons whose reports are kept as golden files: a night that got worse, too few common questions, four runs.
import type { ShownChange } from '../../src/domain/comparison/change.ts'
import type {
  CandidateComparison,
  Comparison,
  ComparisonDetails,
} from '../../src/domain/comparison/comparison.ts'
import {
  makeCandidate,
  makeComparison,
  makeDifference,
  makePercentile,
  makeRun,
  makeShare,
  makeShown,
  makeUsage,
  withoutAnswers,
} from '../support/comparisons.ts'

interface Example {
  readonly comparison: Comparison
  readonly details: ComparisonDetails
}

const noAnswer = { source: '(error)', groundingRate: null, latencyMs: null } as const

const nightly: ShownChange[] = [
  makeShown('vpn-setup', ['groundingLost', 'passToFail', 'factsChanged'], {
    message: 'How do I set up the VPN?',
    mustPass: true,
    baseline: { passRate: 1 },
    candidate: {
      source: 'MODEL',
      groundingRate: 0,
      passRate: 0,
      failures: ['the answer does not contain "VPN profile"'],
    },
    factsLost: [{ kind: 'url', text: 'vpn.example.com' }],
    similarity: 0.2,
    answers: {
      baseline: 'Install the VPN profile from vpn.example.com, then sign in with your badge number.',
      candidate: 'A VPN is a private network. Ask your administrator how yours is set up.',
    },
  }),
  makeShown('badge-lost', ['groundingLost'], {
    message: 'I lost my badge, who blocks it at night or at the weekend when nobody is at the desk?',
    baseline: { groundingRate: 1 },
    candidate: { source: 'MODEL', groundingRate: 1 / 3 },
  }),
  makeShown('warranty', ['factsChanged'], {
    message: 'How long is the warranty on a laptop?',
    factsLost: [{ kind: 'duration', text: '14 days' }],
    factsGained: [{ kind: 'duration', text: '10 days' }],
    answers: {
      baseline: 'You can send a faulty laptop back within 14 days.',
      candidate: 'You can send a faulty laptop back within 10 days.',
    },
  }),
  makeShown('mail-size', ['answerToError'], {
    message: 'How large may an attachment be?',
    candidate: { ...noAnswer, outcome: 'timeout', failures: ['timeout: no answer within 120 s'] },
    similarity: null,
    answers: { baseline: 'Up to 25 MB.', candidate: null },
  }),
  makeShown('parking', ['groundingGained'], {
    message: 'Where can I park?',
    baseline: { source: 'MODEL', groundingRate: 0 },
  }),
  makeShown('printer', ['failToPass'], {
    message: 'How do I add a printer?',
    baseline: { passRate: 0, failures: ['it took 3.4 s, more than 3 s'] },
    candidate: { passRate: 1 },
  }),
  makeShown('lunch', ['flaky'], {
    message: 'What is for lunch?',
    candidate: { source: 'MODEL', groundingRate: 0 },
  }),
  makeShown('payroll', ['failInBoth'], {
    message: 'When is pay day?',
    baseline: { passRate: 0, failures: ['the answer does not contain "25th"'] },
    candidate: { passRate: 0, failures: ['the answer does not contain "25th"'] },
  }),
]

const base = makeCandidate()

const worse: CandidateComparison = {
  ...base,
  overlap: {
    shared: 300,
    renamed: 3,
    edited: 2,
    baseline: 303,
    candidate: 306,
    share: 300 / 307,
    isLow: false,
  },
  settings: [
    {
      setting: 'rate',
      baseline: 'auto',
      candidate: '5/s',
      meaning: 'waiting and 429s may differ for that reason',
    },
  ],
  added: ['a', 'b', 'c', 'd'].map((id) => ({ id: `new-${id}`, message: `A new question ${id}?` })),
  removed: [{ id: 'old-fax', message: 'Where is the fax machine?' }],
  edited: [
    { id: 'wifi-1', baseline: 'How do I get WiFi?', candidate: 'How do I get on the WiFi as a guest?' },
    { id: 'wifi-2', baseline: 'And on my phone?', candidate: 'And on my private phone?' },
  ],
  grounding: {
    ...base.grounding,
    ...makeShare({
      questions: 290,
      threads: 118,
      baseline: 0.812,
      candidate: 0.77,
      difference: makeDifference(-0.042, -0.081, -0.003),
      p: 0.03,
    }),
    byTag: {
      vpn: makeShare({
        baseline: 0.9,
        candidate: 0.6,
        difference: makeDifference(-0.3, -0.5, -0.1),
        p: 0.0004,
      }),
      mail: makeShare({ difference: makeDifference(0.01, null, null), p: 0.7 }),
    },
    sensitivity: { drop: 0.043, pairs: 210, discordance: 0.08, alpha: 0.0125 },
    matrix: [
      { from: 'KNOWLEDGE_BASE', to: 'KNOWLEDGE_BASE', count: 221 },
      { from: 'MODEL', to: 'MODEL', count: 50 },
      { from: 'KNOWLEDGE_BASE', to: 'MODEL', count: 14 },
      { from: 'TICKETS', to: 'TICKETS', count: 6 },
      { from: 'KNOWLEDGE_BASE', to: '(error)', count: 3 },
      { from: 'MODEL', to: 'KNOWLEDGE_BASE', count: 2 },
      { from: 'TICKETS', to: 'MODEL', count: 1 },
      { from: '', to: 'MODEL', count: 1 },
      { from: 'MODEL', to: 'TICKETS', count: 1 },
      { from: 'MODEL', to: '(error)', count: 1 },
    ],
    lost: ['vpn-setup', 'badge-lost', ...Array.from({ length: 12 }, (_, place) => `q${place}`)],
    gained: ['parking'],
    flaky: ['lunch'],
  },
  verdicts: {
    ...base.verdicts,
    candidate: 0.944,
    difference: makeDifference(-0.006, -0.021, null),
    p: 0.34,
    sensitivity: { drop: null, pairs: 6, discordance: 0.01, alpha: 0.0125 },
    passToFail: ['vpn-setup'],
    failToPass: ['printer'],
    failInBoth: ['payroll'],
  },
  availability: {
    ...base.availability,
    questions: 300,
    candidate: 299 / 300,
    difference: makeDifference(-1 / 300, null, null),
    p: null,
    answerToError: ['mail-size'],
    errorInBoth: ['x'],
    notAsked: ['y', 'z'],
  },
  answers: { same: 250, rephrased: 30, factsChanged: 12, otherAnswer: 6 },
  quota: {
    baseline: makeUsage(),
    candidate: makeUsage({ attempts: 312, min: 306, max: 307, callsPerTurn: 1.06, rate429: 0.011 }),
    monthly: { min: 30, max: 61 },
    allowance: null,
    byTag: {},
  },
  latency: {
    turns: 290,
    service: {
      ...base.latency.service,
      p50: makePercentile({ candidate: 790, difference: makeDifference(-10, -32, 15), p: 0.4 }),
      p95: makePercentile({
        baseline: 1900,
        candidate: 2600,
        difference: makeDifference(700, 210, 1240),
        p: 0.002,
      }),
    },
    wait: {
      ...base.latency.wait,
      p95: makePercentile({ baseline: 0, candidate: null, difference: null, p: null }),
    },
  },
  changes: nightly.map(withoutAnswers),
  gates: [
    { rule: 'must-pass', passed: false, reason: 'vpn-setup passed in the baseline and fails now' },
    { rule: 'grounding', passed: false, reason: 'coverage fell by 4.2 points (p = 0.006, level 0.0125)' },
    { rule: 'verdicts', passed: true, reason: 'no loss beyond noise (p = 0.34)' },
    { rule: 'availability', passed: true, reason: 'one more error of 300 turns, which chance explains' },
  ],
  notes: ['the sets differ by 7 questions'],
}

export const nightThatGotWorse: Example = {
  comparison: makeComparison({
    verdict: 'failed',
    exitCode: 1,
    reason: 'a question that must pass fails now, and coverage fell beyond noise',
    candidates: [worse],
  }),
  details: { shown: [nightly] },
}

const nothing = { difference: null, p: null, test: null } as const

export const tooFewInCommon: Example = {
  comparison: makeComparison({
    verdict: 'failed',
    exitCode: 1,
    reason: 'the runs have too few questions in common',
    candidates: [
      {
        ...base,
        overlap: {
          shared: 12,
          renamed: 0,
          edited: 0,
          baseline: 305,
          candidate: 40,
          share: 12 / 333,
          isLow: true,
        },
        added: Array.from({ length: 28 }, (_, place) => ({ id: `a${place}`, message: `Added ${place}?` })),
        removed: Array.from({ length: 293 }, (_, place) => ({
          id: `r${place}`,
          message: `Removed ${place}?`,
        })),
        grounding: {
          ...base.grounding,
          ...makeShare({ questions: 12, threads: 9, baseline: null, candidate: null, ...nothing }),
          matrix: [{ from: 'KNOWLEDGE_BASE', to: 'KNOWLEDGE_BASE', count: 12 }],
        },
        verdicts: {
          ...base.verdicts,
          ...makeShare({ questions: 0, threads: 0, baseline: null, candidate: null, ...nothing }),
        },
        availability: {
          ...base.availability,
          ...makeShare({ questions: 12, threads: 9, baseline: null, candidate: null, ...nothing }),
        },
        answers: { same: 12, rephrased: 0, factsChanged: 0, otherAnswer: 0 },
        quota: null,
        latency: {
          turns: 12,
          service: silent(),
          wait: silent(),
        },
        gates: [{ rule: 'grounding', passed: false, reason: 'too few questions in common to judge' }],
      },
    ],
  }),
  details: { shown: [[]] },
}

function silent(): CandidateComparison['latency']['service'] {
  const none = { baseline: null, candidate: null, difference: null, p: null }
  return { p50: none, p90: none, p95: none, p99: none }
}

export const fourRuns: Example = {
  comparison: makeComparison({
    runs: ['nightly-08', 'nightly-09', 'nightly-10', 'nightly-11'].map((label) => makeRun(label)),
    candidates: [
      { ...base, run: 1 },
      { ...base, run: 2, gates: [{ rule: 'grounding', passed: true, reason: 'no loss' }] },
      { ...worse, run: 3 },
    ],
    verdict: 'failed',
    exitCode: 1,
    reason: 'nightly-11: coverage fell beyond noise',
    trend: [
      { figure: 'coverage', unit: 'share', questions: 300, values: [0.81, 0.812, 0.811, 0.77] },
      { figure: 'latency.p95', unit: 'ms', questions: null, values: [1900, 1880, null, 2600] },
      { figure: 'callsPerTurn', unit: 'callsPerTurn', questions: null, values: [1, 1.02, 1.021, 1.06] },
    ],
  }),
  details: { shown: [[], [], nightly] },
}

export const nothingChanged: Example = { comparison: makeComparison(), details: { shown: [[]] } }
