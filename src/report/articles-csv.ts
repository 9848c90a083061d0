// `articles.csv`: one row for each article, with what the run says of it. Safe to open in a spreadsheet.
import type { ArticleRecord } from '../domain/articles.ts'
import type { SheetTable } from './spreadsheet.ts'

/** The columns keep their order: `recordedArticles` reads them by it. */
export const articlesTable = (rows: readonly ArticleRecord[]): SheetTable<ArticleRecord> => ({
  columns: [
    ['id', ({ article }) => article],
    ['title', ({ title }) => title],
    ['url', ({ url }) => url],
    ['digest', ({ digest }) => digest],
    ['questions_answered', ({ answered }) => answered],
    ['gaps_nearest', ({ gaps }) => gaps],
    ['unsupported_facts', ({ unsupported }) => unsupported],
    ['contradicts', ({ contradicts }) => contradicts.join(';')],
  ],
  rows,
})
