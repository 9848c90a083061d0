// Every English text that the overview itself says; a translation replaces this file (and the sentences that all reports share).
import { OPERATION_WORDS } from './operation-words.ts'
import { ENGLISH } from '../../../domain/page-words.ts'
import type { QuestionCounts } from '../../../domain/summary.ts'
import { digits, plural } from '../../../domain/text.ts'
import { are } from './format.ts'

export const WORDS = {
  verdicts: {
    done: 'Done',
    passed: 'Passed',
    failed: 'Failed',
    incomplete: 'Incomplete',
    part: 'Not yet judged',
  },
  verdictSigns: { done: '✓', passed: '✓', failed: '✗', incomplete: '✗', part: '…' },
  /** The class of its style. */
  verdictStyles: { done: '', passed: 'passed', failed: 'failed', incomplete: 'failed', part: '' },
  incomplete: {
    incomplete: 'This run is not complete.',
    interrupted: 'This run was interrupted.',
  },
  notAsked: (notAsked: number, all: number, isRepeated: boolean) => {
    if (notAsked === 0 || all === 0) return 'The figures are of what came back.'
    if (notAsked >= all && !isRepeated) return 'No question was asked.'
    const said = `${digits(notAsked)} of ${plural(all, 'question')} ${are(notAsked, 'was', 'were')} not asked at all`
    return isRepeated
      ? `${said}, once at least: the figures are of what came back.`
      : `${said}: the figures are of the other ${digits(all - notAsked)}.`
  },
  headline: {
    nothingAsked: 'No question was asked',
    nothingAnswered: (asked: number) =>
      asked === 1 ? 'The question got no answer' : `None of the ${digits(asked)} questions got an answer`,
    withoutContext: (answered: number) =>
      `${plural(answered, 'answer')} came, but the endpoint had lost the conversation each time, so none counts`,
    /** `questions`: that have an answer; asked more than once they have several. */
    coverage: (grounded: number, answered: number, questions: number) =>
      `${digits(grounded)} of ${plural(answered, 'answer')} ${questions === answered ? '' : `to ${plural(questions, 'question')} `}came from the knowledge base`,
    interval: (share: string, range: string) => `(${share}, ${range})`,
    oneOnly: (share: string) => `(${share})`,
    few: 'so few that the share says little',
    failed: (count: number, forgiven: number, isRepeated: boolean) =>
      `${plural(count, 'question')} ${are(count, 'was', 'were')} not ${isRepeated ? 'always ' : ''}answered as expected` +
      (forgiven === 0 ? '' : `, ${digits(forgiven)} of which passed all the same`),
    errors: (count: number, isRepeated: boolean) =>
      `${digits(count)} got an error${isRepeated ? ' at least once' : ''}`,
    skipped: (count: number) => `${digits(count)} ${are(count, 'was', 'were')} not asked after an error`,
    notAsked: (count: number) => `${digits(count)} ${are(count, 'was', 'were')} not asked at all`,
    review: (count: number) => `${plural(count, 'answer')} ${are(count, 'needs', 'need')} your review`,
    tooFewShared: (since: string) => `too few questions are the same to say what changed since ${since}`,
  },
  chances: (share: string, range: string) =>
    `${share} of these answers came from the knowledge base. Were other questions of the kind asked, it would most likely be ${range} (95\u00a0% interval)`,
  comparison: {
    changes: (since: string) => `What changed since ${since}`,
  },
  facts: {
    coverage: 'from the knowledge base',
    passed: (judged: number, isRepeated: boolean) =>
      `${are(judged, 'question', 'questions')} answered as expected${isRepeated ? ' each time' : ''}`,
    gaps: ({ gaps, clustered, uncovered }: QuestionCounts, topics: number) =>
      [
        gaps === 0
          ? 'questions without an article'
          : `${are(gaps, 'question', 'questions')} without an article`,
        ...(gaps === 0
          ? []
          : gaps > clustered
            ? [`, the ${digits(clustered)} that weigh most on ${plural(topics, 'topic')}`]
            : [`, on ${plural(topics, 'topic')}`]),
        ...(uncovered === 0
          ? []
          : [
              `; ${digits(uncovered)} ${gaps === 0 ? '' : 'more '}${are(uncovered, 'is', 'are')} not expected to have one`,
            ]),
      ].join(''),
    errors: ({ skipped, notAsked, repeats }: QuestionCounts, isKeyRefused: boolean) =>
      [
        ...(isKeyRefused
          ? ['got an error before the key was refused, which stopped the run']
          : [`got an error${repeats > 1 ? ' at least once' : ''}`]),
        ...(skipped === 0 ? [] : [`${digits(skipped)} not asked after one`]),
        ...(notAsked === 0 ? [] : [`${digits(notAsked)} not asked at all`]),
      ].join('; '),
    latency: 'typical time to an answer',
    quota: (most: number, share: string | undefined) =>
      `${are(most, 'call', 'calls')} counted toward the quota${share === undefined ? '' : `, ${share} of it`}`,
    none: 'none',
  },
  sections: {
    opening: 'In short',
    verdict: 'What decided the verdict',
    coverage: 'Coverage by tag',
    sources: 'Where the answers came from',
    gaps: 'Gaps: what the knowledge base does not answer',
    failed: 'Not answered as expected',
    errors: 'Questions that got an error',
    flaky: 'Answered differently from one time to the next',
    review: 'Needs your review',
    latency: 'How long answers took',
    operations: 'Pace and quota',
    notes: 'Notes',
    about: 'About this run',
    runs: 'What was compared',
    gates: 'Gates',
    others: 'The other runs of this comparison',
    changes: 'What changed',
    figures: 'The figures side by side',
    transitions: 'Where the answers come from, before and now',
    tags: 'Tags that changed',
    set: 'Questions that only one run has',
    settings: 'The runs differ in more than their answers',
    trend: 'Over the runs',
  },
  of: (some: number, all: number) => `${digits(some)} of ${digits(all)}`,
  between: (low: number, high: number) => (low === high ? digits(low) : `${digits(low)} to ${digits(high)}`),
  more: (count: number, where: string) => `and ${digits(count)} more: ${where}`,
  /** On paper nothing unfolds, and no link leads anywhere. */
  moreInPage: (count: number) => `and ${digits(count)} more, in the page itself`,
  inFile: (file: string) => `see ${file}`,
  inList: 'show all in the list of conversations',
  showMore: (count: number) => `Show ${digits(count)} more`,
  figuresBeside: 'The figures as a table',
  coverage: {
    caption:
      'Share of the answers that came from the knowledge base; tags with most gaps first. The line over a bar is its 95 % interval.',
    few: 'An outlined bar: too few questions, or threads, for the share to say much.',
    label: 'Tag',
    share: 'Share, from 0 to 100 %',
    words: 'Share and interval',
    count: 'Answers',
    tags: 'All figures by tag',
    noAnswers: 'no answers',
    untagged: 'The questions carry no tags, so there is nothing to break down by.',
    order: (shown: number, all: number) => `The ${shown} tags with most gaps, of ${all}.`,
  },
  sources: {
    label: 'Answers by their source',
    grounded: 'counts as the knowledge base',
    empty: '(empty)',
    rest: (count: number) => plural(count, 'further source'),
    none: 'No answer came, so there is no source.',
    noneCounts: 'Every answer was given without its conversation, so no source counts.',
    withoutContext: (count: number) =>
      `${plural(count, 'more answer')} ${are(count, 'was', 'were')} given without ${are(count, 'its', 'their')} conversation: ${are(count, 'it counts', 'they count')} in no share here or above.`,
    part: (count: number, share: string) => `${digits(count)} (${share})`,
    statuses: (mix: string) => `Statuses of the answers: ${mix}.`,
  },
  gaps: {
    lead: ({ gaps, clustered }: QuestionCounts, topics: number) =>
      (gaps > clustered
        ? `${plural(gaps, 'question')}; the ${digits(clustered)} that weigh most are on ${plural(topics, 'topic')}`
        : `${plural(gaps, 'question')} on ${plural(topics, 'topic')}`) +
      ': each topic is a candidate for an article, those that are asked most first.',
    uncovered: (count: number) =>
      `${plural(count, 'question')} more ${are(count, 'was', 'were')} not answered from the knowledge base, as the question set expects: no article is missing for ${are(count, 'it', 'them')}.`,
    all: (gaps: number, uncovered: number) =>
      uncovered === 0
        ? `show ${gaps === 1 ? 'it' : `all ${digits(gaps)}`} in the list of conversations`
        : `show all ${digits(gaps + uncovered)} in the list of conversations, the ${digits(uncovered)} that are not expected to have an article among them`,
    none: 'Every answer came from the knowledge base: no article is missing for these questions.',
    noneMissing: 'No article is missing: what did not come from the knowledge base was not expected to.',
    noneKnown: 'No answer came, so nothing is known of gaps.',
    size: (count: number) => plural(count, 'question'),
    further: (count: number) => `and ${plural(count, 'further question')}`,
  },
  failed: {
    mustPass: (count: number) => `Must pass, and did not (${digits(count)})`,
    wrong: (count: number) =>
      `From the knowledge base: the article is wrong, or it is the wrong one (${digits(count)})`,
    other: (count: number) => `Not as expected, and not from the knowledge base (${digits(count)})`,
    forgiven: (count: number) =>
      `${digits(count)} of them passed all the same, when asked again or as enough of the answers passed: ${are(count, 'it fails', 'they fail')} nothing, and ${are(count, 'is', 'are')} in the list of conversations alone.`,
    all: (count: number) => `show all ${digits(count)} that failed in the list of conversations`,
    further: (count: number) =>
      `and ${plural(count, 'more expectation')} that ${are(count, 'was', 'were')} not kept`,
    none: (passed: number) =>
      `All ${plural(passed, 'question')} with expectations were answered as expected.`,
    oneNone: 'The one question with expectations was answered as expected.',
    noExpectations: 'The questions say nothing of what is expected, so no answer could be wrong.',
    notGraded: (count: number) =>
      `${plural(count, 'question')} with expectations could not be judged: they got no answer, or none in their conversation.`,
    notAsked: (count: number) =>
      `${plural(count, 'question')} with expectations ${are(count, 'was', 'were')} not asked.`,
  },
  errors: {
    none: 'Every question that was asked got an answer.',
    all: (count: number) => `show all ${digits(count)} in the list of conversations`,
    by: (errors: number) => `The ${plural(errors, 'error')} by kind`,
    byStatus: (count: number, hasMalformed: boolean) =>
      `The ${digits(count)} of them that came with an HTTP status${hasMalformed ? ' (a malformed reply may come with 200)' : ''}`,
    byCode: (count: number) => `The ${digits(count)} of them that came with a code of the endpoint`,
    kind: 'kind',
    status: 'HTTP status',
    code: 'code',
    count: 'turns',
    rest: 'others',
    /** Where a refused key ended the run. */
    keyRefused:
      'The run was stopped, as the endpoint refused the key or its scope: the questions that it refused count as not asked.',
    noneBefore: 'Every question that was asked before got an answer.',
    skipped: (count: number) =>
      `${plural(count, 'question')} ${are(count, 'was', 'were')} not asked after an error earlier in the conversation.`,
    contextLost: (count: number) =>
      `${plural(count, 'answer')} ${are(count, 'was', 'were')} given without ${are(count, 'its', 'their')} conversation, so ${are(count, 'it does', 'they do')} not count.`,
    outcomes: {
      refused: `${ENGLISH.outcomes.refused} (HTTP 3xx or 4xx)`,
      rate_limited: `${ENGLISH.outcomes.rate_limited} (given up after too many 429s)`,
      server_error: `${ENGLISH.outcomes.server_error} (HTTP 5xx)`,
      timeout: `${ENGLISH.outcomes.timeout} (no answer in time)`,
      network_error: `${ENGLISH.outcomes.network_error} (the connection broke)`,
      malformed: `${ENGLISH.outcomes.malformed} (not of the agreed shape)`,
    } as Readonly<Record<string, string>>,
  },
  flaky: {
    caption: 'Asked more than once, and not the same each time',
    header: ['question', 'asked', 'answered', 'from the knowledge base', 'as expected', 'answers agree by'],
    differs: 'its answers differ',
    withMoved:
      'show all in the list of conversations, those that moved since the baseline and are known to be flaky among them',
  },
  latency: {
    label: 'How often answers took how long',
    description: (p50: string, p95: string, max: string, count: number) =>
      (count === 1
        ? `The one answer took ${max}.`
        : `${plural(count, 'answer')}: half within ${p50}, 95 of 100 within ${p95}, the longest ${max}.`) +
      ` Times are of the last call alone; waiting for the limit is not in them.`,
    growing: 'Columns further to the right span longer times.',
    none: 'No answer came, so there is nothing to measure.',
    half: (value: string) => `half: ${value}`,
    one: (value: string) => `the one answer: ${value}`,
    most: (value: string) => `95 %: ${value}`,
    from: 'from',
    to: 'to',
    answers: 'answers',
    percentiles: 'Times of answers, of errors, and of waiting for the limit',
    header: ['', 'p50', 'p90', 'p95', 'p99', 'longest', 'count'],
    rows: { answers: 'answers', errors: 'errors', wait: 'waiting' },
    slowest: 'Slowest answers',
    axis: 'Number of answers by the time they took',
  },
  ...OPERATION_WORDS,
  thresholds: {
    caption: 'Thresholds',
    header: ['threshold', 'verdict', 'value', 'why'],
    passed: 'passed',
    failed: 'FAILED',
  },
  about: {
    header: ['', ''],
    target: 'Asked',
    organization: 'Organization',
    sets: 'Question sets',
    started: 'Started',
    ended: 'Ended',
    grounded: 'Counts as the knowledge base',
    run: 'Run',
    harness: 'Made by',
    turns: (count: number) => plural(count, 'turn'),
    sittings: (count: number) => `in ${count} sittings`,
  },
} as const
