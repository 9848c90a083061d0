// Edits the shipped articles as editors do between two runs: one fact changed, one article removed, one added.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** `articles`: a copy of `datasets/knowledge-base`. */
export function editArticles(articles: string): void {
  const article = (name: string): string => join(articles, `${name}.md`)
  const lockout = readFileSync(article('account-lockout'), 'utf8')
  writeFileSync(article('account-lockout'), lockout.replace('after 20 minutes', 'after 45 minutes'))
  rmSync(article('parking'))
  const gym = 'Yes. Staff get a gym membership at FitHouse for €15 a month. Sign up with the form HR-30.'
  writeFileSync(
    article('gym'),
    `---\ntitle: Gym membership for staff\ncategory: hr\nupdated: 2026-11-20\n---\n\n## Is there a gym membership?\n\n${gym}\n`,
  )
}
