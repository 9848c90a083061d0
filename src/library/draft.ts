// Makes a question set from exports of tickets or chats. It sends nothing.
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Group, joinEqual, sampleGroups } from '../analysis/draft/sample.ts'
import { htmlToText } from '../articles/html.ts'
import { readExports, type Turn } from '../dataset/draft/export.ts'
import { createMask } from '../dataset/draft/mask.ts'
import { questionOf } from '../dataset/draft/question.ts'
import { createIdDeriver } from '../dataset/threads.ts'
import { type Draft, type DraftRow, MASK_KINDS, type MaskKind } from '../domain/draft.ts'
import { faultsError, optionError, UsageError } from '../options/faults.ts'
import { checkPaths, type CommandOptions, readOptions, withDefaults } from '../options/settings.ts'
import { renderSpreadsheet } from '../report/spreadsheet.ts'
import { DRAFT_COLUMNS } from '../report/tables.ts'
import { makeFolder, writeFiles } from '../store/files.ts'
import { rejectDuplicates } from '../store/folder.ts'

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
  const masked = Object.fromEntries(MASK_KINDS.map((kind) => [kind, 0])) as Record<MaskKind, number>
  const mask = (kind: MaskKind): string => {
    masked[kind] += 1
    return `[${kind}]`
  }
  if ('faults' in read) {
    // A fault may quote a cell.
    throw faultsError(
      read.faults.map((fault) => ({ ...fault, message: createMask([fault.message], mask)(fault.message) })),
      'written',
    )
  }
  const candidates = read.tickets.flatMap(({ id, tags, turns }) => {
    const texts = turns.map(({ subject, text }) => ({ subject: htmlToText(subject), text: htmlToText(text) }))
    const hide = createMask(texts.flatMap(Object.values<string>), mask)
    const question = questionOf(
      texts.map(({ subject, text }) => ({ subject: hide(subject), text: hide(text) })),
    )
    if (question === undefined) return []
    const isClean = (text: string): boolean => hide(text) === text
    // An id that is somebody's address is none.
    return { ...question, id: isClean(id) ? id : '', tags: tags.filter(isClean) }
  })
  if (candidates.length === 0)
    throw new UsageError(
      `${exports.join(', ')}: no ticket holds a question; name the column with their text, as in ` +
        '--column message=Description',
    )
  const chosen = sampleGroups(joinEqual(candidates), limit, seed).sort((a, b) => b.weight - a.weight)
  const rows = rowsOf(chosen)
  makeFolder(dirname(out))
  await writeFiles([[out, renderSpreadsheet({ columns: DRAFT_COLUMNS, rows })]])
  const empty = read.tickets.filter(({ turns }) => turns.every(isEmpty)).length
  const count = (pattern: RegExp): number => rows.filter(({ message }) => pattern.test(message)).length
  return {
    out,
    questions: rows.length,
    read: read.tickets.length,
    represented: candidates.length,
    leftOut: {
      empty,
      courtesy: read.tickets.length - candidates.length - empty,
      agentRows: read.agentRows,
    },
    masked,
    check: {
      withMask: count(MASK),
      shortened: rows.filter(({ isShortened }) => isShortened).length,
      severalQuestions: count(/\?[^?]+\?/),
      noQuestion: rows.length - count(/\?/),
    },
    headers: read.headers,
    warnings: read.warnings,
  }
}

const DEFAULT_OUT = 'questions.csv'
const MASK = new RegExp(`\\[(?:${MASK_KINDS.join('|')})\\]`)

function rejectPaths(exports: readonly string[], out: string): void {
  rejectDuplicates(exports, 'an export is missing: name one or more CSV or .xlsx files')
  if (exports.some((path) => resolve(path) === resolve(out)))
    throw optionError('out', `${out} is the export itself; name another file`)
  if (existsSync(out)) throw optionError('out', `${out} exists; name another file`)
}

const isEmpty = ({ subject, text }: Turn): boolean => `${subject}${text}`.trim() === ''

/** Makes rows with the ids of the tickets; where two exports share one, the second gets an id of its own. */
function rowsOf(groups: readonly Group[]): DraftRow[] {
  const taken = new Set<string>()
  const derive = createIdDeriver(groups.map(({ id }) => id))
  return groups.map((group) => {
    const isFree = group.id !== '' && !taken.has(group.id)
    const id = isFree ? group.id : derive({ thread: '', turn: undefined, message: group.message })
    taken.add(id)
    return { ...group, id }
  })
}
