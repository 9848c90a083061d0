// Which options each command takes, by group.
import { type OptionName, OPTIONS } from './table.ts'

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text
const list = <const Text extends string>(text: Text) => text.split(' ') as unknown as readonly Words<Text>[]

const QUESTIONS = list('tag grep sample seed format column rotatingIds target')
const DESK = list('baseUrl apiKeyEnv header clientCert clientKey organization allowHttp sandbox kb')
const CALLS = list('maxCalls giveUpAfter timeout hashEndUserRefs debug logFormat metrics config out')
const PACED = list('rate share concurrency repeat shard confirm onAmbiguous')
const ARTICLES = list('articles synonyms decisions embeddings embeddingsModel')
const COUNTED = list('groundedSources quota json open')
const COMPARED = list('failOn alpha margin minOverlap reviews articles column excel')
const GATED = list('threshold baseline requireBaseline passPolicy allowHttp')
const RUN = list('limiter maxDuration untilDecided continue resume retryErrors')
const LOAD = list('arrivalRate duration stages thinkTime maxInFlight users findLimit threshold')

export const TAKEN = {
  run: [...DESK, ...QUESTIONS, ...PACED, ...CALLS, ...RUN, ...COUNTED, ...GATED, ...ARTICLES, ...COMPARED],
  estimate: [...QUESTIONS, ...PACED, ...list('from maxCalls quota json config')],
  load: [...DESK, ...QUESTIONS, ...CALLS, ...LOAD, ...COUNTED],
  validate: [...ARTICLES, ...list('format column allowHttp json config')],
  draft: list('limit column seed out json'),
  report: [...COUNTED, ...GATED, ...ARTICLES, ...COMPARED, ...list('ledger')],
  merge: [...COUNTED, ...GATED, ...ARTICLES, ...COMPARED, ...list('out')],
  compare: [...COUNTED, ...COMPARED, ...list('out')],
  rehearse: list('was articles synonyms decisions column out json open'),
  history: list('last out json'),
  view: list('articles maxCalls config port noOpen readOnly'),
  sandbox: list('kb port config'),
} satisfies Readonly<Record<string, readonly OptionName[]>>

export type CommandName = keyof typeof TAKEN

/** Says if the help of a command shows an option. */
export const shows = (command: CommandName, name: string): boolean =>
  TAKEN[command].some((taken) => taken === name)

/** Lets `estimate` take what the config file of `run` may hold, too, so that one command line serves both. */
export const takes = (command: CommandName, name: OptionName): boolean =>
  shows(command, name) || (command === 'estimate' && shows('run', name) && 'config' in OPTIONS[name])

/** Lists the options that no function of the library takes. */
export const OF_COMMAND_LINE = ['sandbox', 'json', 'open', 'debug', 'logFormat', 'config'] as const
