// What `validate` says of valid question sets.
import type { Survey } from '../domain/question.ts'
import { digits, plural } from '../domain/text.ts'
import { overview, tableOf, verdictOf, type Block, type Document } from './document.ts'

const DELIMITERS: Readonly<Record<string, string>> = {
  '': 'one column',
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
}

export function surveyDocument({
  files,
  threads,
  turns,
  longestThread,
  tags,
  expectations,
  mustPass,
}: Survey): Document {
  return {
    title: [{ untrusted: files.map(({ path }) => path).join(', ') }],
    facts: `${plural(turns, 'question')} in ${plural(threads, 'conversation')}`,
    at: null,
    verdict: verdictOf('valid', 'nothing was sent'),
    sections: [
      overview(
        {
          kind: 'figures',
          figures: [
            ...files.map(({ encoding, delimiter, rows }) => ({
              label: 'Rows',
              value: digits(rows),
              note: `${encoding}, ${DELIMITERS[delimiter] ?? delimiter}`,
            })),
            {
              label: 'Calls',
              value: digits(turns),
              note: 'one per question, plus retries and restarts',
            },
            { label: 'Longest conversation', value: digits(longestThread), note: 'questions' },
            { label: 'Must pass', value: digits(mustPass) },
          ],
        },
        countTable('Tags', tags),
        countTable('Expectations', expectations),
      ),
    ],
  }
}

const countTable = (title: string, counts: Readonly<Record<string, number>>): Block =>
  tableOf(
    title,
    [title, 'Questions'],
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => [{ untrusted: name }, digits(count)]),
    { half: true },
  )
