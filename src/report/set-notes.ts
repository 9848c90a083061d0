// What `validate` says of a valid set beyond its faults, in sentences. They quote the set: untrusted.
import { listNames } from '../domain/format.ts'
import { cut } from '../domain/text.ts'
import type { Survey } from '../domain/question.ts'

export function setNotes({ files, equalQuestions, personalData, singleTags, warnings }: Survey): string[] {
  const columns = files.flatMap((file) => file.columns)
  const renamed = columns.filter(({ header, column }) => column !== null && header.toLowerCase() !== column)
  const own = columns.filter(({ column }) => column === null)
  return [
    ...warnings.map((warning) => withoutPath(warning, files[0]?.path ?? '')),
    ...listed(
      'Columns read by another name: ',
      renamed.map(({ header, column }) => `${header} as ${column}`),
    ),
    ...listed(
      'Columns of your own: ',
      own.map(({ header }) => header),
    ),
    ...equalQuestions.map(
      (questions) =>
        `Lines ${listNames(questions.map(({ line }) => String(line)))} ask the same: ` +
        `“${cut(questions[0]?.message ?? '', MAX_QUOTED)}”.`,
    ),
    ...personalData.map(
      ({ line, kinds }) => `The message in line ${line} holds personal data: ${kinds.join(', ')}.`,
    ),
    ...listed(
      'Tags of one question: ',
      singleTags.map(({ tag, line }) => `${tag} (line ${line})`),
    ),
  ]
}

const MAX_QUOTED = 60

const listed = (what: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`${what}${listNames(names)}.`]

/** `set.csv:3: the header…` → `Line 3: the header….`; where the file lies is nobody's business. */
function withoutPath(warning: string, path: string): string {
  const rest = warning.startsWith(path) ? warning.slice(path.length) : warning
  const [, line, text = rest] = /^(?:#.*?)?(?::(\d+))?(?: \(row \d+\))?: (.*)$/s.exec(rest) ?? []
  const sentence = line === undefined ? text.charAt(0).toUpperCase() + text.slice(1) : `Line ${line}: ${text}`
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}
