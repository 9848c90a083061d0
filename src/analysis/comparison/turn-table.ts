// The turns of a run as a comparison holds them: a few bytes a turn, and what its questions are called once.
import { NumberList } from '../../columns/number-list.ts'
import { sequenceOf, type Sequence } from '../../columns/sequence.ts'
import { OUTCOMES, type Outcome } from '../../domain/outcome.ts'
import type { TurnSummary } from './turn-summary.ts'

export interface TurnTableBuilder {
  /** Turns with the same `index` are of one question: the last says what it is. */
  readonly add: (turn: TurnSummary) => void
  /** A new object each time that a turn is asked for. */
  readonly finish: () => Sequence<TurnSummary>
}

type AskedQuestion = Pick<TurnSummary, 'id' | 'file' | 'thread' | 'turn' | 'message' | 'tags' | 'mustPass'>

export function createTurnTable(): TurnTableBuilder {
  const table = new TurnTable()
  return {
    add: (turn) => table.add(turn),
    finish: () => sequenceOf(table.length, (place) => table.at(place)),
  }
}

class TurnTable {
  readonly #questions = new QuestionTable()
  readonly #indexes = new NumberList()
  readonly #repeats = new NumberList()
  /** Number of the outcome, from 1; 0 without one. */
  readonly #outcomes = new NumberList(Uint8Array)
  readonly #flags = new NumberList(Uint8Array)
  readonly #sources = new NumberList()
  /** NaN: not known. */
  readonly #services = new NumberList(Float64Array)
  readonly #waits = new NumberList(Float64Array)
  readonly #sourceNames: (string | undefined)[] = [undefined]
  readonly #sourceNumbers = new Map<string | undefined, number>([[undefined, 0]])

  get length(): number {
    return this.#indexes.length
  }

  add(turn: TurnSummary): void {
    const { index, repeat, outcome, contextLost, contextSource, grounded, passed, serviceMs, waitMs } = turn
    this.#questions.set(index, turn)
    this.#indexes.push(index)
    this.#repeats.push(repeat)
    this.#outcomes.push(outcome === undefined ? 0 : OUTCOMES.indexOf(outcome) + 1)
    this.#flags.push((contextLost ? 1 : 0) + 2 * answerOf(grounded) + 8 * answerOf(passed))
    this.#sources.push(this.#sourceNumber(contextSource))
    this.#services.push(serviceMs ?? Number.NaN)
    this.#waits.push(waitMs ?? Number.NaN)
  }

  at(place: number): TurnSummary {
    const index = this.#indexes.at(place)
    const flags = this.#flags.at(place)
    const { id, file, thread, turn, message, tags, mustPass } = this.#questions.at(index)
    return {
      index,
      id,
      repeat: this.#repeats.at(place),
      file,
      thread,
      turn,
      message,
      tags,
      mustPass,
      outcome: outcomeOf(this.#outcomes.at(place)),
      contextLost: (flags & 1) === 1,
      contextSource: this.#sourceNames[this.#sources.at(place)],
      grounded: ANSWERS[(flags >> 1) & 3],
      passed: ANSWERS[(flags >> 3) & 3],
      serviceMs: timeOf(this.#services.at(place)),
      waitMs: timeOf(this.#waits.at(place)),
    }
  }

  #sourceNumber(name: string | undefined): number {
    const known = this.#sourceNumbers.get(name)
    if (known !== undefined) return known
    this.#sourceNames.push(name)
    this.#sourceNumbers.set(name, this.#sourceNumbers.size)
    return this.#sourceNames.length - 1
  }
}

/** Of each question, by its number in the run; texts that the run's index holds are shared with it. */
class QuestionTable {
  readonly #ids: string[] = []
  readonly #threads: string[] = []
  readonly #messages: string[] = []
  readonly #tags: (readonly string[])[] = []
  readonly #files = new NumberList()
  readonly #turns = new NumberList()
  readonly #mustPass = new NumberList(Uint8Array)
  /** Many questions have the same few tags. */
  readonly #tagLists = new Map<string, readonly string[]>()

  set(index: number, { id, file, thread, turn, message, tags, mustPass }: AskedQuestion): void {
    this.#ids[index] = id
    this.#threads[index] = thread
    this.#messages[index] = message
    this.#tags[index] = this.#shared(tags)
    this.#files.set(index, file)
    this.#turns.set(index, turn)
    this.#mustPass.set(index, mustPass ? 1 : 0)
  }

  at(index: number): AskedQuestion {
    return {
      id: this.#ids[index] ?? '',
      file: this.#files.at(index),
      thread: this.#threads[index] ?? '',
      turn: this.#turns.at(index),
      message: this.#messages[index] ?? '',
      tags: this.#tags[index] ?? [],
      mustPass: this.#mustPass.at(index) === 1,
    }
  }

  #shared(tags: readonly string[]): readonly string[] {
    const key = JSON.stringify(tags)
    const known = this.#tagLists.get(key) ?? tags
    this.#tagLists.set(key, known)
    return known
  }
}

const ANSWERS = [undefined, false, true] as const

const answerOf = (value: boolean | undefined): number => ANSWERS.indexOf(value)

const outcomeOf = (number: number): Outcome | undefined => (number === 0 ? undefined : OUTCOMES[number - 1])

const timeOf = (time: number): number | undefined => (Number.isNaN(time) ? undefined : time)
