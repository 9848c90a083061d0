// A knowledge base as `question,answer` rows: each row an article whose only section is the whole answer.
import { parse } from 'csv-parse/sync'
import type { Article } from './article.ts'

/** Throws where a column is missing. Rows without an answer know nothing and are left out. */
export function parseCsv(text: string): Article[] {
  const rows: string[][] = parse(text, {
    bom: true,
    delimiter: /^[^,\t\n]*;/.test(text) ? ';' : /^[^,;\n]*\t/.test(text) ? '\t' : ',',
    relax_column_count: true,
    skip_empty_lines: true,
  })
  const [header = [], ...rest] = rows
  const names = header.map((name) => name.trim().toLowerCase())
  const column = (name: string): number => {
    const index = names.indexOf(name)
    if (index === -1) throw new Error(`the CSV has no column '${name}'`)
    return index
  }
  const [question, answer, category] = [column('question'), column('answer'), names.indexOf('category')]
  return rest.flatMap((row, index): Article[] => {
    const [title = '', reply = ''] = [row[question], row[answer]]
    if (reply.trim() === '') return []
    const group = row[category]
    return [
      {
        slug: `row-${index + 1}`,
        title,
        sections: [{ heading: '', text: reply }],
        ...(group && { category: group }),
      },
    ]
  })
}
