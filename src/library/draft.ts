// Makes a question set from exports of tickets or chats. It sends nothing.
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Candidate, type Group, joinEqual, sampleGroups } from '../analysis/draft/sample.ts'
import { readExports, type Ticket } from '../dataset/draft/export.ts'
import { maskPersonal } from '../dataset/draft/mask.ts'
import { questionOfTicket, turnsOf } from '../dataset/draft/question.ts'
import { createIdDeriver } from '../dataset/threads.ts'
import { type Draft, type DraftRow, MASK_KINDS, type MaskKind } from '../domain/draft.ts'
import { faultsError, optionError, UsageError } from '../options/faults.ts'
import { checkPaths, type CommandOptions, readOptions, withDefaults } from '../options/settings.ts'
import { renderSpreadsheet } from '../report/spreadsheet.ts'
import { draftTable } from '../report/tables.ts'
import { makeFolder, writeFiles } from '../store/files.ts'
import { findTwice } from '../store/folder.ts'

export interface DraftOptions extends CommandOptions<'draft'> {
  readonly exports?: readonly string[] | undefined
}

export async function draft(options: DraftOptions): Promise<Draft> {
  const { exports = [], ...written } = options
  checkPaths('exports', exports)
  const settings = readOptions('draft', written)
  const { out = DEFAULT_OUT, limit = Infinity, seed } = withDefaults(settings)
  rejectPaths(exports, out)
  const read = await readExports(exports, settings.column)
  if ('faults' in read) {
    // A fault may quote a cell.
    const unnamed = (text: string): string => maskPersonal(text, (kind) => `[${kind}]`)
    throw faultsError(
      read.faults.map((fault) => ({ ...fault, message: unnamed(fault.message) })),
      'written',
    )
  }
  const { mask, masked } = createMask(settings.noMask === true)
  const isWhole = settings.conversations === true
  const candidates = read.tickets.flatMap((ticket) => candidateOf(mask(ticket), isWhole) ?? [])
  if (candidates.length === 0)
    throw new UsageError(
      `${exports.join(', ')}: no ticket holds a question; name the column with their text, as in ` +
        '--column message=Description',
    )
  const chosen = sampleGroups(joinEqual(candidates), limit, seed).sort((a, b) => b.weight - a.weight)
  const rows = rowsOf(chosen)
  makeFolder(dirname(out))
  await writeFiles([[out, renderSpreadsheet(draftTable(rows))]])
  return {
    out,
    questions: rows.length,
    conversations: chosen.length,
    read: read.tickets.length,
    files: read.files,
    warnings: read.warnings,
    masked,
    asking: candidates.length,
    represented: Math.round(chosen.reduce((sum, { weight }) => sum + weight, 0)),
    withMask: rows.filter(({ message }) => MASK.test(message)).length,
    statements: chosen.filter(({ isStatement }) => isStatement).length,
  }
}

const DEFAULT_OUT = 'questions.csv'
const MASK = new RegExp(`\\[(?:${MASK_KINDS.join('|')})\\]`)

function rejectPaths(exports: readonly string[], out: string): void {
  if (exports.length === 0) throw new UsageError('an export is missing: name one or more CSV or .xlsx files')
  const twice = findTwice(exports)
  if (twice !== undefined) throw new UsageError(`${twice} is given twice; name each file once`)
  if (exports.some((path) => resolve(path) === resolve(out)))
    throw optionError('out', `${out} is the export itself; name another file`)
  if (existsSync(out)) throw optionError('out', `${out} exists; name another file`)
}

function candidateOf(ticket: Ticket, isWhole: boolean): Candidate | undefined {
  const { id, tags } = ticket
  const question = isWhole ? undefined : questionOfTicket(ticket)
  const [first, ...others] = isWhole ? turnsOf(ticket) : question === undefined ? [] : [question.message]
  if (first === undefined) return undefined
  return { id, turns: [first, ...others], tags, isStatement: question?.isStatement === true }
}

/** Keeps the texts of a ticket apart while they are masked together: a name of one may stand in another. */
const BETWEEN = '\n\u0001\n'

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

/** Makes rows with the ids of the tickets; where two exports share one, the second gets an id of its own. */
function rowsOf(groups: readonly Group[]): DraftRow[] {
  const taken = new Set<string>()
  const derive = createIdDeriver(groups.map(({ id }) => id))
  return groups.flatMap(({ id: written, turns, weight, tags }) => {
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
    }))
  })
}
