// What the words of a report mean: the hints of the page. docs/reference/words.md has them, too.

/** The term in plain words, and what it means; the raw name, as files and options have it, comes last. */
export const GLOSSARY: Readonly<Record<string, readonly [term: string, meaning: string]>> = {
  Grounded: [
    'From the knowledge base',
    'The assistant says that it answered out of the articles. Files call it grounded, or coverage; an ' +
      'answer’s details have the raw value.',
  ],
  Gaps: [
    'Not from the knowledge base',
    'Questions that were answered, but not out of the articles: one is missing, or was not used. ' +
      'Filter: is:gap',
  ],
  'Expectations met': [
    'Expectations met',
    'Answers that say what the set asks for: words, source or a reference answer. Columns: expect_…',
  ],
  Errors: [
    'Errors',
    'Questions without an answer: refused, timed out, or the desk failed. They do not count as gaps.',
  ],
  'Grounded demand': [
    'From the knowledge base, by demand',
    'Each question counts as often as people ask it. Files call it weighted coverage; column: weight.',
  ],
  'Latency p95': ['Time to answer', '19 of 20 answers came within this time. Files call it latency.p95.'],
  'Latency p50': [
    'Usual time to answer',
    'Half of the answers came within this time. Files call it latency.p50.',
  ],
  p50: ['Half within', 'Half of them took at most this long.'],
  p95: ['19 of 20 within', '19 of 20 took at most this long.'],
  p99: ['99 of 100 within', '99 of 100 took at most this long.'],
  'Calls counted': [
    'Calls',
    'Each request counts toward the AI quota. What was sent again after a refusal is counted, too.',
  ],
  Attempts: [
    'Attempts',
    'Requests that were sent: one for each question, and one more each time it was sent again.',
  ],
  '429s': [
    'Refused (429)',
    'The desk allows so many calls in a time, and refused these; they were sent again. HTTP status: 429',
  ],
  'Quota account': [
    'Quota account',
    'How much of the organization’s AI allowance the run used. What was perhaps processed counts as ' +
      'possible.',
  ],
  'Waiting for the limiter': [
    'Waiting for the limit',
    'How long calls were held back, so that the desk’s limit is kept. It is no part of the time to answer.',
  ],
  'Unsupported facts': [
    'Facts to check',
    'Answers with a number, date, amount, address or permission that their article does not say.',
  ],
  'Not reached by this set': [
    'Not reached by this set',
    'Articles that no question was answered from, and no gap is near. The set may be what is missing.',
  ],
  'Grounded answers with a likely source': [
    'With a likely source',
    'Answers whose text resembles a section of an article. “Likely”, since the desk names none.',
  ],
  Baseline: [
    'Old',
    'The accepted run that the new one is compared with. Files call it baseline, the new one candidate.',
  ],
  '95 % interval': ['Likely range', 'The true change is in this range 19 times out of 20.'],
  'Detectable drop': [
    'Detectable drop',
    'The smallest loss that this comparison would have seen 4 times in 5. A smaller one may be there.',
  ],
  'Flaky questions': [
    'Flaky questions',
    'They were answered differently within this run, though they were asked in the same words.',
  ],
  'context lost': [
    'Context lost',
    'The desk began a new conversation in the middle: the answer may not know what was asked. Filter: ' +
      'is:lost',
  ],
}
