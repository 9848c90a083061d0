// The comparisons whose reports are kept as golden files: a night that got worse, too few common questions, four runs.
import type {
  CandidateComparison,
  Comparison,
  ComparisonDetails,
  ShownChange,
} from '../../src/domain/comparison/comparison.ts'
import {
  makeCandidate,
  makeComparison,
  makeCounts,
  makeDifference,
  makeGate,
  makeMessage,
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
  settings: [{ setting: 'rate', baseline: 'auto', candidate: '5/s' }],
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
      vpn: { questions: 20, baseline: 0.9, candidate: 0.6 },
      mail: { questions: 30, baseline: 0.8, candidate: 0.8 },
    },
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
  },
  verdicts: {
    ...base.verdicts,
    candidate: 0.944,
    difference: makeDifference(-0.006, -0.021, 0.009),
    p: 0.34,
  },
  availability: {
    ...base.availability,
    questions: 300,
    candidate: 299 / 300,
    difference: makeDifference(-1 / 300, null, null),
    p: null,
  },
  counts: makeCounts({
    groundingLost: 14,
    groundingGained: 1,
    passToFail: 1,
    failToPass: 1,
    flaky: 1,
    answerToError: 1,
    factsChanged: 12,
    failInBoth: 1,
  }),
  answers: { same: 250, rephrased: 30, factsChanged: 12, otherAnswer: 6 },
  quota: {
    baseline: makeUsage(),
    candidate: makeUsage({ attempts: 312, min: 306, max: 307, callsPerTurn: 1.06, rate429: 0.011 }),
    monthly: { min: 30, max: 61 },
  },
  latency: {
    turns: 290,
    p50: makePercentile({ candidate: 790, difference: makeDifference(-10, -32, 15), p: 0.4 }),
    p95: makePercentile({
      baseline: 1900,
      candidate: 2600,
      difference: makeDifference(700, 210, 1240),
      p: 0.002,
    }),
  },
  changes: nightly.map(withoutAnswers),
  gates: [
    makeGate('must-pass', false, 'must_pass questions newly failing: vpn-setup'),
    makeGate('grounding', false, 'grounded 81.2 % → 77 %: more than the margin and than noise'),
    makeGate('verdicts', true, 'passed 95 % → 94.4 %: no more than noise'),
  ],
  notes: [makeMessage('the sets differ by 7 questions')],
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

const SILENT = { baseline: null, candidate: null, difference: null, p: null }
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
        availability: makeShare({ questions: 12, threads: 9, baseline: null, candidate: null, ...nothing }),
        answers: { same: 12, rephrased: 0, factsChanged: 0, otherAnswer: 0 },
        latency: { turns: 0, p50: SILENT, p95: SILENT },
        gates: [makeGate('grounding', false, 'too few questions are in both runs to compare')],
      },
    ],
  }),
  details: { shown: [[]] },
}

export const fourRuns: Example = {
  comparison: makeComparison({
    runs: ['nightly-08', 'nightly-09', 'nightly-10', 'nightly-11'].map((label) => makeRun(label)),
    candidates: [
      { ...base, run: 1 },
      { ...base, run: 2, gates: [makeGate('grounding', true, 'no loss')] },
      { ...worse, run: 3 },
    ],
    verdict: 'failed',
    exitCode: 1,
    reason: 'nightly-11: coverage fell beyond noise',
    trend: [
      { figure: 'coverage', unit: 'share', values: [0.81, 0.812, 0.811, 0.77] },
      { figure: 'latency.p95', unit: 'ms', values: [1900, 1880, null, 2600] },
      { figure: 'callsPerTurn', unit: 'calls', values: [1, 1.02, 1.021, 1.06] },
    ],
  }),
  details: { shown: [[], [], nightly] },
}

export const nothingChanged: Example = { comparison: makeComparison(), details: { shown: [[]] } }
