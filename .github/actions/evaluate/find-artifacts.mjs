// Finds what the action downloads: the accepted run, and the run that an earlier attempt of this job left
// incomplete. Writes `accepted-run` (the id of the workflow run that accepted it) and `incomplete` (the name
// of the artifact) as outputs; empty where there is none.
import { appendFileSync } from 'node:fs'

const { NAME, ACCEPT, TOKEN, GITHUB_OUTPUT } = process.env
const { GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID, GITHUB_RUN_ATTEMPT } = process.env

/** The artifacts of the repository or of one of its runs that can still be downloaded, the newest first. */
async function artifactsOf(where, query = '') {
  const address = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/actions/${where}?per_page=100${query}`
  const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${TOKEN}` }
  const response = await fetch(address, { headers })
  if (!response.ok)
    throw new Error(
      `GitHub answers ${response.status} when asked for artifacts; the job needs permissions: { actions: read }`,
    )
  const { artifacts } = await response.json()
  return artifacts
    .filter(({ expired }) => !expired)
    .sort((a, b) => b.created_at.localeCompare(a.created_at) || b.id - a.id)
}

/** A pull request from a fork can upload an artifact of any name: it is not this repository's. */
const isOwn = ({ workflow_run: run }) => run?.id && run.head_repository_id === run.repository_id

async function acceptedRun() {
  if (ACCEPT === 'true') return ''
  const name = `assist-harness-${NAME}-accepted`
  const found = await artifactsOf('artifacts', `&name=${encodeURIComponent(name)}`)
  return found.find((one) => one.name === name && isOwn(one))?.workflow_run.id ?? ''
}

async function incomplete() {
  if (Number(GITHUB_RUN_ATTEMPT) < 2) return ''
  const prefix = `assist-harness-${NAME}-attempt-`
  const names = (await artifactsOf(`runs/${GITHUB_RUN_ID}/artifacts`)).map(({ name }) => name)
  // The newest attempt counts: one that is complete leaves nothing to finish.
  const last = names.find(
    (name) => name.startsWith(prefix) && /^\d+(-incomplete)?$/.test(name.slice(prefix.length)),
  )
  return last?.endsWith('-incomplete') ? last : ''
}

try {
  appendFileSync(GITHUB_OUTPUT, `accepted-run=${await acceptedRun()}\nincomplete=${await incomplete()}\n`)
} catch (error) {
  console.log(`::error title=assist-harness::${error.message}`)
  process.exitCode = 1
}
