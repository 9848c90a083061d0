// Turns of the report page made for a test: one by one, or as many as a large run has.
import type { PageChange, PageTurn } from '../../src/domain/page.ts'

export function makePageTurn(id: string, more: Partial<PageTurn> = {}): PageTurn {
  return {
    id,
    file: 0,
    thread: id,
    turn: 1,
    repeat: 1,
    message: `message of ${id}`,
    answer: `Answer to ${id}.`,
    tags: [],
    mustPass: false,
    source: 'KNOWLEDGE_BASE',
    grounded: true,
    outcome: 'answered',
    error: null,
    passed: null,
    failures: [],
    latencyMs: 812,
    waitMs: 0,
    attempts: 1,
    rateLimited: 0,
    conversationId: `conversation-of-${id}`,
    contextLost: false,
    flaky: false,
    review: null,
    change: null,
    changeAt: null,
    ...more,
  }
}

export function makePageChange(before: string | null, more: Partial<PageChange> = {}): PageChange {
  return {
    presence: 'both',
    kinds: [],
    message: 'message',
    answer: before,
    source: 'KNOWLEDGE_BASE',
    outcome: 'answered',
    passed: null,
    failures: [],
    latencyMs: 700,
    similarity: 0.5,
    factsLost: [],
    factsGained: [],
    ...more,
  }
}

const TOPICS = [
  'password',
  'printer',
  'VPN',
  'invoice',
  'badge',
  'holiday',
  'laptop',
  'phone',
  'parking',
  'payslip',
]
const WORDS =
  'open the portal choose your name confirm with a code and wait for the message that says your request was taken within two working days'.split(
    ' ',
  )

/** Threads of three; every seventh question fails, every fifth is a gap. The same each time. */
export function* manyPageTurns(count: number): Generator<PageTurn> {
  let state = 1
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff
    return (state >> 8) % below
  }
  for (let place = 0; place < count; place += 1) {
    const topic = TOPICS[next(TOPICS.length)] ?? ''
    const answer = Array.from({ length: 60 + next(60) }, () => WORDS[next(WORDS.length)]).join(' ')
    const isGap = place % 5 === 0
    yield makePageTurn(`question-${place}`, {
      thread: `thread-${Math.floor(place / 3)}`,
      turn: (place % 3) + 1,
      message: `How do I get my ${topic} working again, number ${place}?`,
      answer: `For the ${topic}: ${answer}.`,
      tags: [topic.toLowerCase(), place % 2 === 0 ? 'how-to' : 'policy'],
      source: isGap ? 'MODEL' : 'KNOWLEDGE_BASE',
      grounded: !isGap,
      passed: place % 7 !== 0,
      failures: place % 7 === 0 ? [`does not contain "${topic} form"`] : [],
      latencyMs: 300 + next(4000),
      flaky: place % 97 === 0,
    })
  }
}
