// The rows of Google CX's golden conversations: which begins one, which is a turn, what is expected of the turn before.
import { excerpt } from '../excerpt.ts'
import type { CsvRecord } from '../csv.ts'
import type { Reason } from './importer.ts'
import { Conversation } from './conversation.ts'
import { cellAt, type ForeignHeader } from './foreign-header.ts'
import type { ImportContext, Translator } from './importer.ts'
import { writeTags } from './our-cells.ts'

const EARLY: Reason = {
  what: 'expectation before the first question',
  why: 'the harness asks first; a greeting cannot be expected',
}
const AGENT: Reason = { what: 'response_agent', why: 'the endpoint does not say which agent answered' }
const JUDGED: Reason = {
  what: 'EXPECTATION_TEXT',
  why: 'a model judges it there; here it is a reference answer, compared by the words they share',
}

const LOST = new Map<string, Reason>(
  [
    ['INPUT_IMAGE', 'the endpoint takes text alone'],
    ['INPUT_TOOL_RESPONSE', 'the endpoint has no tools that could be answered for'],
    ['INPUT_UPDATED_VARIABLES', 'the endpoint takes no variables'],
    ['EXPECTATION_TOOL_CALL', 'the endpoint does not say which tools it called'],
    ['EXPECTATION_TOOL_RESPONSE', 'the endpoint does not say what its tools returned'],
    ['EXPECTATION_AGENT_TRANSFER', 'the endpoint does not say which agent answered'],
  ].map(([what = '', why = '']) => [what, { what, why }]),
)

/** Hands on a record a turn: `CONVERSATION_COLUMNS`, tags, then the others. */
export class GoldenSteps implements Translator {
  readonly #known: ForeignHeader
  readonly #others: readonly number[]
  readonly #context: ImportContext
  readonly #conversation: Conversation
  /** By the name of a conversation, the line on which it begins. */
  readonly #lines = new Map<string, number>()
  #name = ''
  #turn = 0
  /** Of the row that carries the name: what its turns inherit. */
  #inherited: readonly string[] = []

  constructor(known: ForeignHeader, others: readonly number[], context: ImportContext) {
    this.#known = known
    this.#others = others
    this.#context = context
    this.#conversation = new Conversation(context)
  }

  take({ cells, line }: CsvRecord): void {
    const cell = (name: string): string => cellAt(cells, this.#known.find(name))
    const name = cell('display_name')
    if (name !== '' && name !== this.#name) this.#begin(name, cells, line)
    const action = cell('action_type').toUpperCase()
    if (action === '' && name !== '') return
    if (this.#name === '')
      this.#context.fail({
        line,
        column: 'display_name',
        message: 'a step before the first display_name; put the name of the conversation above its rows',
      })
    else if (this.#checkTurn(cell('turn_index'), line)) this.#step(action, cell, cells, line)
  }

  end(): void {
    this.#conversation.end()
  }

  #begin(name: string, cells: readonly string[], line: number): void {
    this.#conversation.end()
    const begun = this.#lines.get(name)
    if (begun === undefined) this.#lines.set(name, line)
    else
      this.#context.fail({
        line,
        column: 'display_name',
        message: `the conversation ${excerpt(name)} begins in line ${begun} already; give each its own name`,
      })
    this.#name = name
    this.#turn = 0
    this.#inherited = this.#more(cells)
  }

  /** Tags, then the cells that are carried along. */
  #more(cells: readonly string[]): string[] {
    const tags = cellAt(cells, this.#known.find('tags'))
      .split(/[;,]/)
      .map((tag) => tag.trim())
    return [writeTags(tags), ...this.#others.map((index) => cells[index] ?? '')]
  }

  #checkTurn(cell: string, line: number): boolean {
    const turn = /^\d+(?:\.0+)?$/.test(cell) ? Number.parseInt(cell, 10) : undefined
    const isFirst = this.#turn === 0
    const isSound = turn !== undefined && (isFirst ? turn === 1 : turn >= this.#turn)
    if (!isSound)
      this.#context.fail({
        line,
        column: 'turn_index',
        message: `turn_index ${excerpt(cell)} ${isFirst ? 'begins a conversation, which begins with 1' : `follows ${this.#turn}`}; number the turns of a conversation from 1 on, never falling`,
      })
    this.#turn = turn ?? this.#turn
    return isSound
  }

  #step(action: string, cell: (name: string) => string, cells: readonly string[], line: number): void {
    const text = cell('text_content')
    if (action === 'INPUT_TEXT')
      this.#conversation.ask(
        line,
        this.#name,
        text,
        this.#more(cells).map((own, place) => (own === '' ? (this.#inherited[place] ?? '') : own)),
      )
    else if (action === 'EXPECTATION_TEXT') this.#expect(text, cell, line)
    else {
      const reason = LOST.get(action)
      if (reason === undefined)
        this.#context.fail({
          line,
          column: 'action_type',
          message: `action_type ${excerpt(action)} is none of INPUT_TEXT, EXPECTATION_TEXT, ${[...LOST.keys()].join(', ')}; mend it, or delete the row`,
        })
      else this.#context.account.lost(reason, line)
    }
  }

  #expect(text: string, cell: (name: string) => string, line: number): void {
    const { account } = this.#context
    if (cell('response_agent') !== '') account.lost(AGENT, line)
    if (text === '') return
    if (!this.#conversation.add('answers', text, line)) account.lost(EARLY, line)
    else {
      account.changed(JUDGED, line)
      const note = cell('expectation_note')
      if (note !== '') this.#conversation.add('notes', note, line)
    }
  }
}
