// `articles.csv`: one row for each article, with what the run says of it. Safe to open in a spreadsheet.
import type { ArticleRecord } from '../domain/articles.ts'
import type { Table } from './spreadsheet.ts'

/** The columns that a later comparison reads. */
export const ARTICLE_ID = 'id'
export const ARTICLE_DIGEST = 'digest'

/** In the order of the records. */
export const articlesTable = (rows: readonly ArticleRecord[]): Table<ArticleRecord> => ({
  columns: [
    [ARTICLE_ID, ({ article }) => article],
    ['title', ({ title }) => title],
    ['url', ({ url }) => url],
    [ARTICLE_DIGEST, ({ digest }) => digest],
    ['questions_answered', ({ answered }) => answered],
    ['gaps_nearest', ({ gaps }) => gaps],
    ['unsupported_facts', ({ unsupported }) => unsupported],
  ],
  rows,
})
