// What promptfoo expects of an answer, as our own expectation cells; what has no counterpart is lost, and said so.
import type { Account, Reason } from './importer.ts'
import { matchText, writePhrases } from './our-cells.ts'
import { readAssertion, type Assertion } from './promptfoo-assertion.ts'
import { hasBackreference, joinClauses, mendRegex, type Clause } from './regex-clauses.ts'

const because = (what: string, why: string): Reason => ({ what, why })

const UNTYPED = because(
  'without a type',
  'promptfoo compares the whole cell with the answer, and so does the harness; write contains: before words that the answer should hold',
)
const CASE = because(
  'equals, contains, starts-with or regex',
  'promptfoo minds the case here, the harness never does',
)
const LATENCY_VALUE = because(
  'latency with its limit behind the colon',
  'promptfoo takes it from parentheses, as in latency(2000); read as the limit that was meant',
)
const NO_LATENCY = because('latency without a limit', 'write one, as in latency(2000) for two seconds')
const NOT_LATENCY = because('not-latency', 'the harness knows no slowest that an answer must exceed')
const NO_VALUE = because('expectation without a value', 'it would pass with any answer')
const GROUPS = because(
  'regex with groups of its own',
  'only one expression with named or counted groups can be checked of one answer',
)

/** Reasons of the types without a counterpart, made once each: the account counts by them. */
const unsupported = new Map<string, Reason>()

function reasonOf(type: string): Reason {
  const known = unsupported.get(type)
  if (known !== undefined) return known
  const isCode = ['javascript', 'python', 'ruby', 'webhook', 'file://', 'package:'].includes(type)
  const reason = because(
    type,
    isCode
      ? 'code is never executed; nothing is checked by it'
      : 'the harness has no such check; nothing is checked by it',
  )
  unsupported.set(type, reason)
  return reason
}

/** Gathers the expectations of one row. */
export class PromptfooExpectations {
  readonly #account: Account
  readonly #line: number
  readonly #contains: string[] = []
  readonly #notContains: string[] = []
  readonly #clauses: Clause[] = []
  #latency: number | undefined

  constructor(account: Account, line: number) {
    this.#account = account
    this.#line = line
  }

  /** `threshold`: of the `__config:` column, which overrides the one in parentheses. */
  add(cell: string, threshold: number | undefined): void {
    const assertion = readAssertion(cell)
    const name = assertion.isNot ? `not-${assertion.type}` : assertion.type
    if (assertion.isUntyped) this.#account.changed(UNTYPED, this.#line)
    const lost = this.#take({ ...assertion, threshold: threshold ?? assertion.threshold })
    if (lost !== undefined) this.#account.lost(lost, this.#line)
    else {
      this.#account.mapped(name)
      if (!/^(?:icontains|latency)/.test(assertion.type)) this.#account.changed(CASE, this.#line)
    }
  }

  /** `expect_contains`, `expect_not_contains`, `expect_regex`, `max_latency_ms`. */
  cells(): [string, string, string, string] {
    return [
      writePhrases(this.#contains),
      writePhrases(this.#notContains),
      joinClauses(this.#clauses),
      this.#latency === undefined ? '' : String(this.#latency),
    ]
  }

  #take(assertion: Assertion): Reason | undefined {
    const { type, isNot, value } = assertion
    if (type === 'latency') return this.#takeLatency(assertion)
    const list = /-(?:any|all)$/.test(type) ? splitList(value) : [value]
    if (list.every((item) => item === '')) return isMapped(type) ? NO_VALUE : reasonOf(type)
    switch (type) {
      case 'equals':
        return this.#demand({ pattern: `${matchText(value)}$`, isNot, from: 'start' })
      case 'starts-with':
        return this.#demand({ pattern: matchText(value), isNot, from: 'start' })
      case 'regex':
        return this.#demand({ pattern: mendRegex(value), isNot, from: 'anywhere' })
      case 'contains':
      case 'icontains':
        ;(isNot ? this.#notContains : this.#contains).push(value)
        return undefined
      case 'contains-all':
      case 'icontains-all':
        if (isNot)
          return this.#demand({
            pattern: list.map((item) => String.raw`(?=[\s\S]*${matchText(item)})`).join(''),
            isNot,
            from: 'start',
          })
        this.#contains.push(...list)
        return undefined
      case 'contains-any':
      case 'icontains-any':
        if (isNot) this.#notContains.push(...list)
        else if (list.length === 1) this.#contains.push(...list)
        else return this.#demand({ pattern: list.map(matchText).join('|'), isNot, from: 'anywhere' })
        return undefined
      default:
        return reasonOf(type)
    }
  }

  #demand(clause: Clause): Reason | undefined {
    if (hasBackreference(clause.pattern) && this.#clauses.some(({ pattern }) => hasBackreference(pattern)))
      return GROUPS
    this.#clauses.push(clause)
    return undefined
  }

  #takeLatency({ isNot, threshold, value }: Assertion): Reason | undefined {
    if (isNot) return NOT_LATENCY
    const limit = threshold ?? (/^\d+(?:\.\d+)?$/.test(value) ? Number(value) : 0)
    if (!(limit > 0)) return NO_LATENCY
    if (threshold === undefined) this.#account.changed(LATENCY_VALUE, this.#line)
    this.#latency = Math.min(limit, this.#latency ?? limit)
    return undefined
  }
}

const splitList = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const isMapped = (type: string): boolean =>
  /^(?:equals|starts-with|regex|i?contains(?:-any|-all)?)$/.test(type)
