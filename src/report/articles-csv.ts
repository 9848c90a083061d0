// `articles.csv`: one row for each article, with what the run says of it. Safe to open in a spreadsheet.
import type { ArticleRecord } from '../domain/articles.ts'
import { renderSpreadsheet } from './spreadsheet.ts'

/** The columns that a later comparison reads. */
export const ARTICLE_ID = 'id'
export const ARTICLE_DIGEST = 'digest'

/** Yields the file's text in pieces, in the order of the records. */
export const renderArticlesCsv = (records: readonly ArticleRecord[]): Generator<string> =>
  renderSpreadsheet<ArticleRecord>(
    [
      [ARTICLE_ID, ({ article }) => article],
      ['title', ({ title }) => title],
      ['url', ({ url }) => url],
      [ARTICLE_DIGEST, ({ digest }) => digest],
      ['questions_answered', ({ answered }) => answered],
      ['gaps_nearest', ({ gaps }) => gaps],
      ['unsupported_facts', ({ unsupported }) => unsupported],
    ],
    records,
  )
