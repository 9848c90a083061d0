// Every English text that the overview itself says; a translation replaces this file (and the sentences that all reports share).
import { plural } from '../../numbers.ts'
import { are } from './format.ts'

export const WORDS = {
  verdicts: { passed: 'Passed', failed: 'Failed', incomplete: 'Incomplete' },
  incomplete: {
    incomplete: 'This run is not complete.',
    interrupted: 'This run was interrupted.',
  },
  notAsked: (notAsked: number, total: number) =>
    notAsked === 0
      ? 'The figures are of what came back.'
      : `${notAsked} of ${plural(total, 'question')} ${are(notAsked, 'has', 'have')} no outcome: the figures are of the others.`,
  headline: {
    nothingAsked: 'No question was asked',
    nothingAnswered: (asked: number) =>
      asked === 1 ? 'The question got no answer' : `None of the ${asked} questions got an answer`,
    withoutContext: (answered: number) =>
      `${plural(answered, 'answer')} came, but the endpoint had lost the conversation each time, so none counts`,
    coverage: (grounded: number, answered: number) =>
      `${grounded} of ${plural(answered, 'answer')} came from the knowledge base`,
    interval: (share: string, range: string) => `(${share}, ${range})`,
    oneOnly: (share: string) => `(${share})`,
    few: 'so few that the share says little',
    lost: (count: number, since: string) =>
      `${plural(count, 'question')} lost ${are(count, 'its', 'their')} article since ${since}`,
    noneLost: (since: string) => `no question lost its article since ${since}`,
    gained: (count: number) => `${count} gained one`,
    newlyFailing: (count: number) => `${count} ${are(count, 'fails', 'fail')} now that passed before`,
    failed: (count: number) => `${count} ${are(count, 'was', 'were')} not answered as expected`,
    errors: (count: number) => `${count} got no answer`,
    review: (count: number) => `${count} ${are(count, 'needs', 'need')} your review`,
    tooFewShared: (since: string) => `too few questions are the same to say what changed since ${since}`,
  },
  chances: (share: string, range: string) =>
    `${share} of these answers came from the knowledge base. Were other questions of the kind asked, it would most likely be ${range} (95\u00a0% interval)`,
  comparison: {
    nothingCompared: 'Nothing was compared',
    coverage: (before: string, now: string, difference: string) =>
      `coverage went from ${before} to ${now} (${difference})`,
    same: (share: string) => `coverage is ${share} in both`,
    noise: {
      real: 'more than chance makes',
      none: 'no more than chance makes',
      unknown: 'whether by chance cannot be told',
    },
    changes: (since: string) => `What changed since ${since}`,
  },
  facts: {
    coverage: 'from the knowledge base',
    passed: 'as expected',
    gaps: (questions: number, topics: number) =>
      questions === 0
        ? 'questions without an article'
        : `${are(questions, 'question', 'questions')} without an article, on ${plural(topics, 'topic')}`,
    errors: 'got no answer',
    latency: 'typical time to an answer',
    quota: (most: number) => `${are(most, 'call', 'calls')} counted toward the quota`,
    none: 'none',
  },
  sections: {
    opening: 'In short',
    verdict: 'What decided the verdict',
    coverage: 'Coverage by tag',
    sources: 'Where the answers came from',
    gaps: 'Gaps: what the knowledge base does not answer',
    failed: 'Not answered as expected',
    errors: 'Questions without an answer',
    flaky: 'Answered differently from one time to the next',
    review: 'Needs your review',
    latency: 'How long answers took',
    operations: 'Pace and quota',
    notes: 'Notes',
    about: 'About this run',
    runs: 'What was compared',
    gates: 'Gates',
    changes: 'What changed',
    figures: 'The figures side by side',
    transitions: 'Where the answers come from, before and now',
    tags: 'Tags that changed',
    set: 'Questions that only one run has',
    settings: 'The runs differ in more than their answers',
    trend: 'Over the runs',
  },
  of: (some: number, all: number) => `${some} of ${all}`,
  between: (low: number, high: number) => (low === high ? String(low) : `${low} to ${high}`),
  more: (count: number, where: string) => `and ${count} more: ${where}`,
  inFile: (file: string) => `see ${file}`,
  inList: 'show all in the list of conversations',
  showMore: (count: number) => `Show ${count} more`,
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
    part: (count: number, share: string) => `${count} (${share})`,
    statuses: (mix: string) => `Statuses of the answers: ${mix}.`,
  },
  gaps: {
    lead: (questions: number, topics: number) =>
      `${plural(questions, 'question')} on ${plural(topics, 'topic')}: each topic is a candidate for an article, those that are asked most first.`,
    none: 'Every answer came from the knowledge base: no article is missing for these questions.',
    noneMissing: 'No article is missing: what did not come from the knowledge base was not expected to.',
    noneKnown: 'No answer came, so nothing is known of gaps.',
    size: (count: number) => plural(count, 'question'),
    further: (count: number) => `and ${plural(count, 'further question')}`,
  },
  failed: {
    mustPass: (count: number) => `Must pass, and did not at first (${count})`,
    wrong: (count: number) =>
      `From the knowledge base: the article is wrong, or it is the wrong one (${count})`,
    other: (count: number) => `Not as expected, and not from the knowledge base (${count})`,
    none: (passed: number) =>
      `All ${plural(passed, 'question')} with expectations were answered as expected.`,
    oneNone: 'The one question with expectations was answered as expected.',
    noExpectations: 'The questions say nothing of what is expected, so no answer could be wrong.',
    notGraded: (count: number) =>
      `${plural(count, 'question')} with expectations could not be judged: they got no answer, or none in their conversation.`,
  },
  errors: {
    none: 'Every question that was asked got an answer.',
    by: 'Errors by kind',
    kind: 'kind',
    count: 'turns',
    httpStatus: (status: string) => `HTTP ${status}`,
    code: (code: string) => `code ${code}`,
    skipped: (count: number) =>
      `${plural(count, 'further question')} of the same conversations ${are(count, 'was', 'were')} not asked after that.`,
    contextLost: (count: number) =>
      `${plural(count, 'answer')} ${are(count, 'was', 'were')} given without the conversation before, so ${are(count, 'it does', 'they do')} not count.`,
    outcomes: {
      refused: 'refused (HTTP 3xx or 4xx)',
      rate_limited: 'given up after too many 429s',
      server_error: 'fault of the server (HTTP 5xx)',
      timeout: 'no answer in time',
      network_error: 'connection broke',
      malformed: 'answer not of the agreed shape',
    } as Readonly<Record<string, string>>,
  },
  flaky: {
    caption: 'Asked more than once, and not the same each time',
    header: ['question', 'asked', 'answered', 'from the knowledge base', 'as expected', 'answers agree by'],
    differs: 'its answers differ',
  },
  latency: {
    label: 'How often answers took how long',
    description: (p50: string, p95: string, max: string, count: number) =>
      `${plural(count, 'answer')}: half within ${p50}, 95 of 100 within ${p95}, the longest ${max}. Times are of the last call alone; waiting for the limit is not in them.`,
    growing: 'Columns further to the right span longer times.',
    none: 'No answer came, so there is nothing to measure.',
    half: (value: string) => `half: ${value}`,
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
  operations: {
    pace: 'Pace over time, calls a second',
    paceLabel: 'The pace that the harness allowed itself',
    paceDescription: (changes: number, slower: number, pauses: number, refused: number) =>
      `${plural(changes, 'setting')} of the pace over the run, ${slower} of them slower than the one before (hollow dots)` +
      (pauses === 0
        ? '.'
        : `, and ${plural(pauses, 'pause')} in which nothing was sent (shaded), ${refused} of them after a 429 (named where there is room).`),
    calls: {
      label: (seconds: string) => `Calls over time, a second, in steps of ${seconds} s`,
      description: (taken: number, refused: number, failed: number) =>
        `${plural(taken, 'call')} taken by the endpoint, ${refused} refused for going too fast (429), ${failed} without any status.`,
      taken: 'taken by the endpoint',
      refused: 'refused for going too fast (429)',
      failed: 'no status came: not connected, timed out, cut off',
      header: ['from', 'taken', 'refused (429)', 'no status'],
    },
    limitLine: (rate: string) => `- - limit found: ${rate} a second`,
    refused: '429',
    refusals: (rateLimited: number, attempts: number, share: string) =>
      rateLimited === 0
        ? `None of ${plural(attempts, 'call')} was refused for going too fast (429).`
        : `${rateLimited} of ${plural(attempts, 'call')} (${share}) ${are(rateLimited, 'was', 'were')} refused for going too fast (429).`,
    nothingSent: 'Nothing was sent.',
    noLimit: 'no limit',
    header: ['time', 'calls a second', 'why', 'closed until'],
    left: (count: number) => `${plural(count, 'more change')} of pace: see journal.ndjson`,
    quota: 'The quota account',
    quotaHeader: ['calls', 'number', 'what they are'],
    quotaRows: {
      attempts: ['sent', 'every call that was sent or begun, retries among them'],
      certain: ['certainly counted', 'an answer came back'],
      possible: ['possibly counted', 'sent, but it is not known whether they were processed'],
      notCounted: ['not counted', 'never arrived, or refused before the assistant'],
      usage: ['counted toward the quota', 'certain ones, and with the possible ones at most'],
    },
    shareRow: (share: string, allowance: string) => [
      'share of the quota',
      share,
      `of an allowance of ${allowance}`,
    ],
    use: (period: string) => `What asking this set costs in a ${period}`,
    useHeader: ['asked', 'calls', 'of the quota'],
    assumed: 'That refused calls do not count is an assumption; --count-rejected drops it.',
    account: 'All figures of the run',
    accountHeader: ['figure', 'this run'],
  },
  thresholds: {
    caption: 'Thresholds',
    header: ['threshold', 'verdict', 'value', 'why'],
    passed: 'passed',
    failed: 'FAILED',
  },
  gates: {
    caption: 'Gates and why they passed or failed',
    header: ['gate', 'verdict', 'why'],
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
  runs: {
    caption: 'Runs, the baseline first',
    header: ['run', 'part', 'asked', 'started', 'turns', 'state'],
    left: (count: number) =>
      `${plural(count, 'earlier candidate')} ${are(count, 'is', 'are')} in the table and charts above alone: see comparison.json for what changed in ${are(count, 'it', 'them')}.`,
    baseline: 'baseline',
    candidate: 'candidate',
    unknown: 'unknown',
  },
  changes: {
    caption: 'Questions by what became of them; a question may stand in several rows',
    header: ['what became of them', 'questions'],
    mustPass: 'must pass',
    signs: { worse: '▼', better: '▲', drift: '≠', noise: '≈', same: '=' },
    meanings: { worse: 'worse', better: 'better', drift: 'other', noise: 'chance', same: 'as before' },
    was: (text: string) => `was: ${text}`,
  },
  matrix: {
    caption:
      'Turns by the source of their answer: rows before, columns now. ▼ left the knowledge base, ▲ came to it; darker cells hold more.',
    corner: 'before ↓ now →',
    rest: 'others',
    kinds: {
      kept: 'kept',
      worse: 'left the knowledge base',
      better: 'came to the knowledge base',
      moved: 'moved',
    },
  },
  figures: { caption: 'Baseline and candidate, with 95 % intervals of the differences' },
  tags: {
    caption: 'Tags whose difference is more than chance makes',
    none: (tested: number) => `None of ${plural(tested, 'tag')} differs by more than chance makes.`,
  },
  settings: { header: ['setting', 'baseline', 'candidate', 'what follows'] },
  trend: {
    caption: 'Figures of each run, the baseline first',
    description: 'The baseline is at the left, the latest run at the right.',
    left: (count: number) => `${plural(count, 'more run')} between are in comparison.json`,
  },
} as const
