// What is rejected before the first call: question sets, options and config files, with the first line of the error.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runProgram, type Ended } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { SMALL } from './sets.ts'

type Row = readonly [input: string, code: number, message: string]

const folder = temporaryFolder()

const SETS: readonly Row[] = [
  ['', 2, 'set.csv: the file is empty; it needs a header row and a question'],
  ['id,message\n', 2, 'set.csv:1: a header, but no question; add a row under it'],
  [
    'id,message,tags\na,Why?,x\nb,,y\n',
    2,
    'set.csv:3: the row has other cells, but no message; write the question, or empty the whole row',
  ],
  [
    'thread,turn,message\nt,1,Why?\nt,3,How?\n',
    2,
    'set.csv:3: thread "t" goes from turn 1 (line 2) to turn 3; number its turns without gaps, or add the missing row',
  ],
  [
    'thread,turn,message\nt,1,Why?\nt,1,How?\n',
    2,
    'set.csv:3: turn 1 of thread "t" stands in line 2 already; give each row of a thread its own turn',
  ],
  [
    'thread,turn,message\nt,first,Why?\n',
    2,
    'set.csv:2: turn "first" is no whole number from 0 on; write the place in the thread, such as 1, 2, 3',
  ],
  [
    'thread,turn,message\nt,2,Why?\nt,3,How?\n',
    2,
    'set.csv:2: thread "t" begins with turn 2; number its turns from 0 or 1',
  ],
  [
    'id,message\na,Why?\na,How?\n',
    2,
    'set.csv:3: the id "a" stands in line 2 already; give each question its own, or empty the cell',
  ],
  [
    'message,end_user_ref\nWhy?,jane@example.com\n',
    2,
    'set.csv:2: end_user_ref holds an e-mail address, and no personal data may be sent there; write an opaque reference, such as user-17, or empty the cell',
  ],
  [
    'message,end_user_ref\nWhy?,+31 20 123 4567\n',
    2,
    'set.csv:2: end_user_ref holds a phone number, and no personal data may be sent there; write an opaque reference, such as user-17, or empty the cell',
  ],
  [
    'message,expect_regex\nWhy?,(\n',
    2,
    'set.csv:2: expect_regex "(" is no regular expression (Unterminated group); fix it, or put a backslash before a sign that stands for itself',
  ],
  [
    'message,must_pass\nWhy?,perhaps\n',
    2,
    'set.csv:2: must_pass "perhaps" is neither yes nor no; write true or false, yes or no, 1 or 0, or x',
  ],
  [
    'message,max_latency_ms\nWhy?,fast\n',
    2,
    'set.csv:2: max_latency_ms "fast" is no number of milliseconds over 0; write one such as 3000 for three seconds',
  ],
  [
    'message,expect_answer,min_similarity\nWhy?,Because,150\n',
    2,
    'set.csv:2: min_similarity "150" is no number from 0 to 1; write one such as 0.7',
  ],
  [
    'id,message\na,"Why?\nb,How?\n',
    2,
    'set.csv:2: a quote opens a cell here and is never closed, so no row after it was read; close it, or write "" for a quote inside a quoted cell',
  ],
  [
    'id,message\na,Wh"y" ok\nb,"How" now?\n',
    2,
    'set.csv:3: cell 2 goes on after its closing quote; write "" for a quote inside a quoted cell, and look for one that was never closed',
  ],
  [
    'id,message\na,Why?,extra\n',
    2,
    'set.csv:2: the row has 3 cells where the header names 2 (the last is "extra"); put quotes around a cell that holds the separator, or name the column',
  ],
  [
    'message,id,id\nWhy?,a,b\n',
    2,
    'set.csv:1: the column "id" stands more than once (columns 2 and 3); rename or delete all but one',
  ],
  [
    'question,prompt\nWhy?,How?\n',
    2,
    'set.csv:1: "question" and "prompt" (columns 1 and 2) are names for one column; name the right one "message", and the others become ordinary columns',
  ],
  [
    'message\nWhy\u0000?\n',
    2,
    'set.csv:2: a NUL byte: the file is no plain text, or UTF-16 without its byte order mark; save it as "CSV UTF-8"',
  ],
  [
    'id,message,tags\na,"  ",x\n',
    2,
    'set.csv:2: the row has other cells, but no message; write the question, or empty the whole row',
  ],
  [
    'id,message,tags\na,"Why?\nWhen?",x\nb,,x\n',
    2,
    'set.csv:4 (row 3): the row has other cells, but no message; write the question, or empty the whole row',
  ],
]

const OPTIONS: readonly Row[] = [
  ['run', 2, 'a question set is missing: name one or more CSV files'],
  ['run nowhere.csv', 2, 'nowhere.csv: there is no such file; check its name and the folder you are in'],
  ['run set.csv --threshhold coverage>=1', 2, 'unknown option --threshhold; did you mean --threshold?'],
  ['run set.csv --max-call 5', 2, 'unknown option --max-call; did you mean --max-calls?'],
  ['run set.csv --xyzzy', 2, 'unknown option --xyzzy'],
  [
    'report done --ledger nowhere.csv',
    2,
    "nowhere.csv: cannot be read as CSV or JSON (ENOENT: no such file or directory, open 'nowhere.csv')",
  ],
  // Gone since 0.1.
  ['run set.csv --history reports', 2, 'unknown option --history'],
  ['run set.csv --confirm 2', 2, 'unknown option --confirm; did you mean --config?'],
  ['run set.csv --resume out --accept-changes', 2, 'unknown option --accept-changes'],
  ['run set.csv --allow-errors 2%', 2, 'unknown option --allow-errors'],
  ['run set.csv --success-status ok', 2, 'unknown option --success-status'],
  ['run set.csv --count-rejected', 2, 'unknown option --count-rejected'],
  ['run set.csv --start-rate 1/s', 2, 'unknown option --start-rate'],
  ['run set.csv --limiter-lost stop', 2, 'unknown option --limiter-lost'],
  ['run set.csv --quota-period day', 2, 'unknown option --quota-period'],
  ['run set.csv --env-from a.env', 2, 'unknown option --env-from'],
  ['run set.csv --no-header', 2, 'unknown option --no-header'],
  ['run set.csv --durability call', 2, 'unknown option --durability'],
  ['load set.csv --retry-429', 2, 'unknown option --retry-429'],
  ['merge a b --partial', 2, 'unknown option --partial'],
  ['estimate set.csv --users 5', 2, 'unknown option --users'],
  ['rnu set.csv', 2, 'unknown command rnu; did you mean run?'],
  ['run set.csv --rate fast', 2, '--rate must be auto, unlimited, or a rate like 60/min, 5/s, 1000/h'],
  ['run set.csv --rate 60', 2, '--rate must be auto, unlimited, or a rate like 60/min, 5/s, 1000/h'],
  ['run set.csv --share 2', 2, '--share must be a number above 0 and up to 1, like 0.5'],
  ['run set.csv --concurrency 0', 2, '--concurrency must be auto or a whole number from 1 to 1024'],
  ['run set.csv --max-calls 0', 2, '--max-calls must be a whole number from 1 to 999,999,999,999,999'],
  ['run set.csv --timeout 30', 2, '--timeout must be a time like 30s, 2m or 1h, up to 596h'],
  ['run set.csv --give-up-after soon', 2, '--give-up-after must be a time like 30s, 2m or 1h, up to 596h'],
  ['run set.csv --on-ambiguous retry', 2, '--on-ambiguous must be restart or fail'],
  ['run set.csv --limiter file', 2, '--limiter must be local or redis'],
  [
    'run set.csv --limiter redis',
    2,
    '--limiter redis needs the environment variable ASSIST_REDIS_URL, like redis://redis.example.com:6379, or rediss:// for TLS',
  ],
  ['run set.csv --repeat 0', 2, '--repeat must be a whole number from 1 to 999,999,999,999,999'],
  [
    'run set.csv --shard 3/2',
    2,
    '--shard must be a part of a whole, counted from 1, like 1/4, 2/4, 3/4 and 4/4',
  ],
  ['run set.csv --sample 0', 2, '--sample must be a whole number from 1 to 999,999,999,999,999'],
  ['run set.csv --seed x --sample 1', 2, '--seed must be a whole number of at most 9 digits'],
  [
    'run set.csv --tag nowhere',
    2,
    '--tag nowhere: no question of the set has this tag; it has cars, devices, fun, network',
  ],
  [
    'run set.csv --grep (',
    2,
    '--grep must be a regular expression: Invalid regular expression: /(/iu: Unterminated group',
  ],
  ['run set.csv --grep nothing-of-this', 2, '--grep nothing-of-this: no question is left; choose more'],
  ['run set.csv --pass-policy most', 2, '--pass-policy must be all or majority or any'],
  [
    'run set.csv --threshold coverage',
    2,
    "--threshold 'coverage' must be a metric, a relation and a limit, like coverage>=80% or latency.p95[billing]<3s",
  ],
  [
    "run set.csv --threshold 'coverage>=80%%'",
    2,
    "--threshold 'coverage>=80%%' has the limit 80%%: write it like 80% or 0.8",
  ],
  [
    "run set.csv --threshold 'coverage>=x'",
    2,
    "--threshold 'coverage>=x' has the limit x: write it like 80% or 0.8",
  ],
  [
    'run set.csv --fail-on nonsense --baseline done',
    2,
    '--fail-on must be one or more of must-pass, grounding, verdicts, newly-failing, availability, latency, quota, or none',
  ],
  ['run set.csv --alpha 2 --baseline done', 2, '--alpha must be a number between 0 and 1, like 0.05'],
  [
    'run set.csv --margin -1 --baseline done',
    2,
    '--margin must be a number of percentage points, like 2 or 0.5',
  ],
  ['run set.csv --alpha 0.01', 2, '--alpha goes with --baseline DIR'],
  ['run set.csv --quota 0', 2, '--quota must be a whole number from 1 to 999,999,999,999,999'],
  [
    'run set.csv --reviews nowhere.csv',
    2,
    'nowhere.csv: there is no such file; check its name and the folder you are in',
  ],
  [
    'run set.csv --reviews reviews.csv',
    2,
    'reviews.csv:1: no column holds the answers that were reviewed (found: "id", "review"); name it "answer", or "candidate_answer"',
  ],
  [
    'run set.csv --base-url ftp://desk.example.com',
    2,
    '--base-url has the scheme ftp://; it must be https://',
  ],
  [
    'run set.csv --base-url desk.example.com',
    2,
    '--base-url is not a URL; write it like https://desk.example.com',
  ],
  [
    'run set.csv --base-url http://desk.example.com',
    2,
    '--base-url is plain http, over which the key could be read; use https, or --allow-http if you must',
  ],
  [
    'run set.csv --base-url https://user:secret@desk.example.com',
    2,
    '--base-url holds a user name or password; the key goes in an environment variable (--api-key-env)',
  ],
  [
    'run set.csv --target production',
    2,
    '--target production: there is no config file with targets here; write one or name it with --config',
  ],
  [
    'run set.csv --config nowhere.yaml',
    2,
    "nowhere.yaml: cannot be read (ENOENT: no such file or directory, open 'nowhere.yaml')",
  ],
  ['run set.csv --config unknown.yaml', 2, 'unknown.yaml: concurency is unknown; did you mean concurrency?'],
  [
    'run set.csv --config unknown-target.yaml',
    2,
    'unknown-target.yaml: targets.a.ratee is unknown; did you mean rate?',
  ],
  [
    'run set.csv --config list.yaml',
    2,
    'list.yaml: the file must hold options, each with its value, as in rate: 60/min',
  ],
  [
    'run set.csv --config type.yaml',
    2,
    'type.yaml: concurrency must be auto or a whole number from 1 to 1024',
  ],
  [
    'run set.csv --config targets.yaml --target prodution',
    2,
    '--target prodution is not in targets.yaml; did you mean production?',
  ],
  [
    'run set.csv --config targets.yaml --target production',
    2,
    'the key is missing: set the environment variable KEY_A, name another with --api-key-env, or try --sandbox, which needs none',
  ],
  [
    'run set.csv --api-key-env NOT_SET',
    2,
    'the key is missing: set the environment variable NOT_SET, name another with --api-key-env, or try --sandbox, which needs none',
  ],
  ['run set.csv --out done', 2, '--out done holds a run already; name another folder'],
  ['run set.csv --out plain', 2, '--out plain is not empty; name a new folder, or an empty one'],
  ['run set.csv --retry-errors', 2, '--retry-errors goes with --resume DIR'],
  ['run set.csv --sandbox --target production', 2, '--target and --sandbox contradict each other; give one'],
  [
    'run --resume nowhere',
    2,
    'nowhere holds no run: name a folder with a run.json, as in reports/2026-11-20T12-31-05Z-quickstart',
  ],
  [
    'run --resume plain',
    2,
    'plain holds no run: name a folder with a run.json, as in reports/2026-11-20T12-31-05Z-quickstart',
  ],
  [
    'run --resume done --repeat 2',
    2,
    '--resume goes on as the run was started: --repeat was 1, not 2; start a new run for that',
  ],
  [
    'run --resume part --rotating-ids',
    2,
    '--resume goes on as the run was started: --rotating-ids was false, not true; start a new run for that',
  ],
  [
    'run --resume part --tag fun',
    2,
    '--resume goes on as the run was started: --tag was [], not ["fun"]; start a new run for that',
  ],
  [
    'run --resume part --base-url https://desk.example.com',
    2,
    '--resume goes on as the run was started: --base-url was {url}, not https://desk.example.com; start a new run for that',
  ],
  [
    'run set.csv --hash-end-user-refs',
    2,
    '--hash-end-user-refs needs a key: set the environment variable ASSIST_HASH_KEY',
  ],
  ['merge one one', 2, 'one and one are both shard 1 of 2: name one of them'],
  ['merge one foreign --out joined', 2, 'one and foreign are no shards of one run; they differ in'],
  [
    'merge done two --out joined',
    2,
    'done is a whole run, sent without --shard: there is nothing to merge it with',
  ],
  [
    'report nowhere',
    2,
    'nowhere holds no run: name a folder with a run.json, as in reports/2026-11-20T12-31-05Z-quickstart',
  ],
  ['compare done', 2, 'compare needs two runs at least: the baseline, then one or more candidates'],
  ['compare done nowhere', 2, 'nowhere is not there: name the folder of a recorded run'],
  ['validate nowhere.csv', 2, 'nowhere.csv: there is no such file; check its name and the folder you are in'],
  ['validate set.csv --rate 5/s', 2, 'unknown option --rate'],
  ['estimate', 2, 'a question set is missing: name one or more CSV files'],
  [
    'load set.csv --arrival-rate 5/s',
    2,
    '--arrival-rate needs --duration 1m, or stages like --stages 1m:5/s',
  ],
  [
    'load set.csv --arrival-rate fast --duration 1s',
    2,
    '--arrival-rate must be a rate of threads like 2/s, 90/min or 1000/h',
  ],
  [
    'load set.csv --arrival-rate 5/s --duration 1s --base-url https://desk.example.com',
    2,
    '--max-calls is missing: https://desk.example.com is not on this machine, and its calls count toward a quota; say how many there may be at most, like --max-calls 5000',
  ],
  ['load set.csv --rate 5/s', 2, 'unknown option --rate'],
  [
    'load set.csv --find-limit --arrival-rate 5/s',
    2,
    '--find-limit and --arrival-rate contradict each other: the search decides by itself when it sends; leave out --arrival-rate',
  ],
  [
    'load set.csv --find-limit --base-url https://desk.example.com',
    2,
    '--max-calls is missing: https://desk.example.com is not on this machine, and its calls count toward a quota; say how many there may be at most, like --max-calls 5000',
  ],
  ['sandbox --port 99999', 2, '--port must be a whole number from 0 to 65535'],
  ['sandbox --kb nowhere', 2, 'the sandbox cannot start: nowhere is no folder'],
  [
    'sandbox --config sandbox-bad.yaml',
    2,
    "sandbox-bad.yaml: faults.0.kind: invalid discriminator value. Expected 'server-error' | 'proxy-html' | 'reset' | 'hang' | 'refusal' | 'redirect' | 'drip' | 'truncated' | 'not-json' | 'wrong-types' | 'unknown-status' | 'fresh-conversation' | 'huge-body' | 'gzip'",
  ],
  [
    'sandbox --config nowhere.yaml',
    2,
    "nowhere.yaml: cannot be read (ENOENT: no such file or directory, open 'nowhere.yaml')",
  ],
  ['sandbox --prot 1', 2, 'unknown option --prot; did you mean --port?'],
]

/** Nothing listens there: what is rejected is rejected before. */
const ENDPOINT = { ASSIST_BASE_URL: 'http://127.0.0.1:9', ASSIST_API_KEY: 'test-key-0123456789' }

/** The environment instead of ENDPOINT. */
const ENVIRONMENTS: readonly (readonly [environment: Readonly<Record<string, string>>, ...Row])[] = [
  [
    { ASSIST_API_KEY: ENDPOINT.ASSIST_API_KEY },
    'run set.csv',
    2,
    'whom to ask is missing: give --base-url, set ASSIST_BASE_URL, or try --sandbox',
  ],
  [
    { ASSIST_BASE_URL: ENDPOINT.ASSIST_BASE_URL },
    'run set.csv',
    2,
    'the key is missing: set the environment variable ASSIST_API_KEY, name another with --api-key-env, or try --sandbox, which needs none',
  ],
  [
    { ...ENDPOINT, ASSIST_API_KEY: 'white space 0123456789' },
    'run set.csv',
    2,
    'the key in ASSIST_API_KEY holds white space, line breaks or signs beyond ASCII; give it anew',
  ],
  [
    { ...ENDPOINT, ASSIST_API_KEY: 'short' },
    'run set.csv',
    2,
    'the key in ASSIST_API_KEY has only 5 characters; give the whole key',
  ],
]

const FILES = {
  'set.csv': SMALL,
  'other.csv': 'message\nOther?\n',
  'reviews.csv': 'id,review\na,excellent\n',
  'plain/notes.txt': 'nothing of ours',
  'unknown.yaml': 'concurency: 3\n',
  'unknown-target.yaml': 'targets:\n  a: { baseUrl: https://a.example.com, ratee: 5/s }\n',
  'targets.yaml': 'targets:\n  production: { baseUrl: https://a.example.com, apiKeyEnv: KEY_A }\n',
  'list.yaml': '- a\n',
  'type.yaml': 'concurrency: many\n',
  'sandbox-bad.yaml': 'faults:\n  - { kind: explode }\n',
}

/** Recorded before the first row: what resume, merge and compare are given. */
const RUNS = [
  'run set.csv --out done',
  'run set.csv --out part --max-calls 2',
  'run set.csv --out one --shard 1/2',
  'run set.csv --out two --shard 2/2',
  'run other.csv --out foreign --shard 2/2',
]

beforeAll(async () => {
  mkdirSync(join(folder, 'plain'))
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  for (const run of RUNS) await type(`${run} --sandbox --rate unlimited`, {})
})

async function type(line: string, env: Readonly<Record<string, string>> = ENDPOINT): Promise<Ended> {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  return runProgram(words, { cwd: folder, env })
}

const told = ({ code, stdout, stderr }: Ended): unknown => ({
  code,
  stdout,
  message: (stderr.split('\n')[0] ?? '').replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '{url}'),
})

describe.concurrent('a question set', () => {
  test.each(SETS)('%j', async (text, code, message) => {
    const name = `${SETS.findIndex(([other]) => other === text)}.csv`
    writeFileSync(join(folder, name), text)
    expect(told(await type(`validate ${name}`))).toEqual({
      code,
      stdout: '',
      message: message.replace('set.csv', name),
    })
  })
})

describe.concurrent('a command line', () => {
  test.each(OPTIONS)('%s', async (line, code, message) => {
    expect(told(await type(line))).toEqual({ code, stdout: '', message })
  })

  test.each(ENVIRONMENTS)('%j: %s', async (env, line, code, message) => {
    expect(told(await type(line, env))).toEqual({ code, stdout: '', message })
  })
})
