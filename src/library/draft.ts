// `draft`: a question set from exports of tickets or chats, or from the articles themselves. Sends nothing.
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { chooseQuestions } from '../analysis/draft/choose.ts'
import { questionsOf } from '../analysis/draft/from-articles.ts'
import { aloneOf, type Candidate, type Group, joinEqual } from '../analysis/draft/join.ts'
import { readExports, type Ticket } from '../dataset/draft/export.ts'
import { maskPersonal } from '../dataset/draft/mask.ts'
import { questionOfTicket, turnsOf } from '../dataset/draft/question.ts'
import { createIdDeriver } from '../dataset/threads.ts'
import { type Draft, type DraftRow, MASK_KINDS, type MaskKind } from '../domain/draft.ts'
import { faultsError, optionError, UsageError } from '../options/faults.ts'
import {
  checkPaths,
  type CommandOptions,
  readOptions,
  type RunSettings,
  withDefaults,
} from '../options/settings.ts'
import { renderDraftCsv } from '../report/draft-csv.ts'
import { createEventSink, type RunEvent } from '../runner/events.ts'
import { makeFolder, writeFiles } from '../store/files.ts'
import { findTwice } from '../store/folder.ts'
import { openArticles } from './articles.ts'

export interface DraftOptions extends CommandOptions<'draft'> {
  /** Exports of tickets or chats (CSV, .xlsx). */
  readonly exports?: readonly string[] | undefined
  readonly onEvent?: ((event: RunEvent) => void) | undefined
}

type Found = Pick<Draft, 'source' | 'read' | 'masked' | 'files' | 'warnings'> & {
  readonly candidates: readonly Candidate[]
}

export async function draft(options: DraftOptions): Promise<Draft> {
  const { exports = [], onEvent, ...written } = options
  checkPaths('exports', exports)
  const settings = readOptions('draft', written)
  const { out = DEFAULT_OUT, limit = Infinity, seed } = withDefaults(settings)
  checkRequest(exports, settings, out)
  const { candidates, ...found } =
    settings.articles === undefined
      ? await fromTickets(exports, settings)
      : await fromArticles(settings.articles, settings, createEventSink(onEvent).note)
  const groups = found.source === 'tickets' ? joinEqual(candidates) : candidates.map(aloneOf)
  const weighted = groups.map(({ turns, weight }) => ({ message: turns.join(' '), weight }))
  const chosen = chooseQuestions(weighted, limit, seed)
    .flatMap((index) => groups[index] ?? [])
    .sort((a, b) => b.weight - a.weight)
  const rows = rowsOf(chosen)
  makeFolder(dirname(out))
  await writeFiles([[out, renderDraftCsv(rows)]])
  return {
    out,
    questions: rows.length,
    conversations: chosen.length,
    ...found,
    asking: candidates.length,
    represented: chosen.reduce((sum, { weight }) => sum + weight, 0),
    withMask: rows.filter(({ message }) => MASK.test(message)).length,
    statements: chosen.filter(({ isStatement }) => isStatement).length,
    heaviest: chosen
      .slice(0, MAX_HEAVIEST)
      .filter(({ others }) => others.length > 0)
      .map(({ turns, weight, others }) => ({
        message: turns[0],
        weight,
        others: others.slice(0, MAX_OTHERS),
      })),
  }
}

const DEFAULT_OUT = 'questions.csv'
const [MAX_HEAVIEST, MAX_OTHERS] = [5, 3]
const MASK = new RegExp(`\\[(?:${MASK_KINDS.join('|')})\\]`)

function checkRequest(exports: readonly string[], { articles }: RunSettings, out: string): void {
  if (articles === undefined && exports.length === 0)
    throw new UsageError('an export is missing: name one or more CSV or .xlsx files, or --articles PATH')
  if (articles !== undefined && exports.length > 0)
    throw optionError('articles', 'cannot be used with exports; make two sets')
  const twice = findTwice(exports)
  if (twice !== undefined) throw new UsageError(`${twice} is given twice; name each file once`)
  if (exports.some((path) => resolve(path) === resolve(out)))
    throw optionError('out', `${out} is the export itself; name another file`)
  if (existsSync(out)) throw optionError('out', `${out} exists; name another file`)
}

async function fromTickets(paths: readonly string[], settings: RunSettings): Promise<Found> {
  const read = await readExports(paths, settings.column)
  if ('faults' in read) {
    // A fault may quote a cell.
    const unnamed = (text: string): string => maskPersonal(text, (kind) => `[${kind}]`)
    throw faultsError(
      read.faults.map((fault) => ({ ...fault, message: unnamed(fault.message) })),
      'written',
    )
  }
  const { mask, masked } = createMask(settings.noMask === true)
  const candidates = read.tickets.flatMap((ticket): Candidate[] => {
    const own = mask(ticket)
    const question = settings.conversations === true ? undefined : questionOfTicket(own)
    const [first, ...others] =
      settings.conversations === true ? turnsOf(own) : question === undefined ? [] : [question.message]
    if (first === undefined) return []
    const { id, tags } = own
    const isStatement = question?.isStatement === true
    return [{ id, turns: [first, ...others], tags, isStatement, expectContains: [] }]
  })
  if (candidates.length === 0)
    throw new UsageError(
      `${paths.join(', ')}: no ticket holds a question; name the column with their text, as in ` +
        '--column message=Description',
    )
  const { files, warnings } = read
  return { source: 'tickets', read: read.tickets.length, files, warnings, masked, candidates }
}

/** Keeps the texts of a ticket apart while they are masked together: a name of one may stand in another. */
const BETWEEN = '\n\u0001\n'

/** `masked` counts what `mask` replaced. */
function createMask(isOff: boolean) {
  const masked = Object.fromEntries(MASK_KINDS.map((kind) => [kind, 0])) as Record<MaskKind, number>
  const count = (kind: MaskKind): string => {
    masked[kind] += 1
    return `[${kind}]`
  }
  const mask = (ticket: Ticket): Ticket => {
    const texts = ticket.turns.flatMap(({ subject, text }) => [subject, text])
    const all = maskPersonal(texts.map((text) => text.replaceAll('\u0001', '')).join(BETWEEN), count).split(
      BETWEEN,
    )
    return {
      // An id that is somebody's address is none.
      id: maskPersonal(ticket.id, () => '') === ticket.id ? ticket.id : '',
      turns: ticket.turns.map((_, index) => ({
        subject: all[2 * index] ?? '',
        text: all[2 * index + 1] ?? '',
      })),
      tags: ticket.tags.filter((tag) => maskPersonal(tag, () => '') === tag),
    }
  }
  return isOff ? { mask: (ticket: Ticket) => ticket, masked: null } : { mask, masked }
}

async function fromArticles(
  path: string,
  { column }: RunSettings,
  note: (text: string) => void,
): Promise<Found> {
  const articles = await openArticles(path, { column }, note)
  const candidates = articles.flatMap(questionsOf).map(({ message, article, expectContains }): Candidate => ({
    id: '',
    turns: [message],
    isStatement: false,
    tags: [article],
    expectContains,
  }))
  const { length: read } = articles
  return { source: 'articles', read, files: [], warnings: [], masked: null, candidates }
}

/** Ids are those of the tickets; where two exports share one, the second gets an id of its own. */
function rowsOf(groups: readonly Group[]): DraftRow[] {
  const taken = new Set<string>()
  const derive = createIdDeriver(groups.map(({ id }) => id))
  return groups.flatMap(({ id: written, turns, weight, tags, expectContains }) => {
    const isFree = written !== '' && !taken.has(written)
    const id = isFree ? written : derive({ thread: '', turn: undefined, message: turns.join('\n') })
    taken.add(id)
    return turns.map((message, index) => ({
      id: turns.length === 1 ? id : `${id}-${index + 1}`,
      thread: turns.length === 1 ? '' : id,
      turn: turns.length === 1 ? 0 : index + 1,
      message,
      weight,
      tags,
      expectContains,
    }))
  })
}
